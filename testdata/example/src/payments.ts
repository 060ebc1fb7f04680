import Stripe from "stripe";

const stripe = new Stripe(process.env.STRIPE_SECRET_KEY!);

// The caller keeps a record of the payment, so no key is passed here.
export async function chargeCard(customer: string, amount: number) {
  const intent = await stripe.paymentIntents.create({ customer, amount, currency: "eur", confirm: true, off_session: true });
  return { payment: intent.id, status: intent.status };
}

export async function refundPayment(payment: string, amount: number, key: string) {
  const refund = await stripe.refunds.create({ payment_intent: payment, amount }, { idempotencyKey: `refund:${key}` });
  return { refund: refund.id };
}
