import pg from "pg";

const pool = new pg.Pool();

export async function createInvoice(customer: string, total: number) {
  const { rows } = await pool.query("INSERT INTO invoices (customer, total, status) VALUES ($1, $2, 'open') RETURNING id", [customer, total]);
  return { invoice: rows[0].id };
}

export async function voidInvoice(id: string) {
  const { rowCount } = await pool.query("UPDATE invoices SET status = 'void' WHERE id = $1 AND status = 'open'", [id]);
  return { voided: rowCount === 1 };
}

export async function findInvoice(id: string) {
  const { rows } = await pool.query("SELECT id, customer, total, status FROM invoices WHERE id = $1", [id]);
  return rows[0] ?? null;
}
