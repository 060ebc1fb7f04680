// The desk of a small bookkeeping office: agents take payments, write invoices and remind customers.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { z } from "zod";

import { chargeCard, refundPayment } from "./payments.js";
import { createInvoice, findInvoice, voidInvoice } from "./invoices.js";
import { remember } from "./once.js";
import { sendReminder } from "./mail.js";

const server = new McpServer({ name: "ledger-desk", version: "1.0.0" });

function answer(value: unknown) {
  return { content: [{ type: "text" as const, text: JSON.stringify(value) }] };
}

server.registerTool(
  "take_payment",
  {
    description: "Charge the card that a customer has on file.",
    inputSchema: {
      customer: z.string(),
      amount: z.number().int().positive(),
      request_id: z.string().min(16).describe("Make one for each payment and send the same again on a retry."),
    },
  },
  async ({ customer, amount, request_id }) =>
    answer(await remember("take_payment", request_id, [customer, amount], () => chargeCard(customer, amount))),
);

server.registerTool(
  "refund_payment",
  {
    description: "Give back a part of a payment.",
    inputSchema: { payment: z.string(), amount: z.number().int().positive(), request_id: z.string().uuid() },
    annotations: { destructiveHint: true },
  },
  async ({ payment, amount, request_id }, { authInfo }) => {
    const user = authInfo?.extra?.sub;
    if (typeof user !== "string") {
      throw new Error("refunds are given to people who are signed in");
    }
    return answer(await refundPayment(payment, amount, `${user}:${request_id}`));
  },
);

server.registerTool(
  "create_invoice",
  {
    description: "Write an invoice and number it.",
    inputSchema: { customer: z.string(), total: z.number() },
    annotations: { idempotentHint: true },
  },
  async ({ customer, total }) => answer(await createInvoice(customer, total)),
);

server.registerTool(
  "void_invoice",
  { description: "Void an open invoice.", inputSchema: { id: z.string() } },
  async ({ id }) => answer(await voidInvoice(id)),
);

server.registerTool(
  "find_invoice",
  { description: "Look an invoice up.", inputSchema: { id: z.string() }, annotations: { readOnlyHint: true } },
  async ({ id }) => answer(await findInvoice(id)),
);

server.registerTool(
  "remind_customer",
  { description: "Mail a reminder about an open invoice.", inputSchema: { to: z.string().email(), invoice: z.string() } },
  async ({ to, invoice }) => answer(await sendReminder(to, invoice)),
);

const app = express();
app.use(express.json());
app.post("/mcp", async (req, res) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(req, res, req.body);
});
app.listen(8080);
