import nodemailer from "nodemailer";

const mail = nodemailer.createTransport(process.env.SMTP_URL!);

export async function sendReminder(to: string, invoice: string) {
  await mail.sendMail({ from: "desk@ledger.example", to, subject: `Invoice ${invoice} is due`, text: "Please pay within a week." });
  return { sent: true };
}
