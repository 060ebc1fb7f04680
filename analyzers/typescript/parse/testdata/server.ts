import { z } from "zod";
import type { Logger } from "./log.js";
import { Ledger, type Entry } from "./ledger.js";

/** What a caller may ask for in one transfer. */
const Transfer = z.object({
  from: z.string().uuid().describe("account to take from"),
  to: z.string().uuid(),
  cents: z.number().int().positive().max(1_000_000),
  note: z.string().optional(),
});
type Transfer = z.infer<typeof Transfer>;

export class Transfers {
  private readonly seen = new Map<string, Promise<Entry>>();

  constructor(private readonly ledger: Ledger, private log: Logger = console) {}

  async run(input: Transfer, key?: string): Promise<Entry> {
    const known = key !== undefined ? this.seen.get(key) : undefined;
    if (known) {
      this.log.info(`transfer ${key} was done before`);
      return known;
    }
    const work = this.ledger.transaction(async (tx) => {
      const [source, target] = await Promise.all([tx.account(input.from), tx.account(input.to)]);
      if (source.balance < input.cents) {
        throw new Error("not enough money", { cause: { balance: source.balance } });
      }
      source.balance -= input.cents;
      target.balance += input.cents;
      return tx.append({ ...input, at: Date.now(), note: input.note ?? "" });
    });
    if (key) this.seen.set(key, work);
    try {
      return await work;
    } catch (error) {
      if (key) this.seen.delete(key);
      this.log.error?.(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      this.log.flush();
    }
  }
}

export function register(server: { tool: (name: string, schema: unknown, run: (args: any) => unknown) => void }, transfers: Transfers) {
  server.tool("transfer", Transfer.shape, async ({ key, ...rest }) => {
    const input = Transfer.parse(rest);
    const entry = await transfers.run(input, key as string | undefined);
    for (const [name, value] of Object.entries(entry)) {
      if (typeof value === "function" || name.startsWith("_")) continue;
    }
    return { content: [{ type: "text", text: JSON.stringify(entry, null, 2) }] };
  });
}
