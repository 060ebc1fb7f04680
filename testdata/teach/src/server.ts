import { currentUser } from "@acme/auth";
import { defineTool } from "@acme/kit";
import { Ledger } from "@acme/ledger";
import { z } from "zod";
import { once } from "./once.js";

const ledger = new Ledger();

defineTool("pay_fee", { amount: z.number() }, async ({ amount }) => ledger.charge(amount));

defineTool("pay_bill", { bill: z.string(), amount: z.number() }, async ({ bill, amount }) =>
  once(`pay_bill:${currentUser()}:${bill}`, () => ledger.charge(amount)),
);

defineTool("pay_rent", { month: z.string(), amount: z.number() }, async ({ month, amount }) =>
  ledger.charge(amount, { key: `rent:${currentUser()}:${month}` }),
);
