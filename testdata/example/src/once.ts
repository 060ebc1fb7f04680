import { Redis } from "ioredis";

const redis = new Redis(process.env.REDIS_URL!);

// Runs work once for each key and answers a repeat with the result of the first run.
export async function remember<T>(operation: string, key: string, asked: unknown[], work: () => Promise<T>): Promise<T> {
  const name = `done:${operation}:${key}`;
  const question = JSON.stringify(asked);
  const known = await redis.get(name);
  if (known) {
    const before = JSON.parse(known) as { question: string; result: T };
    if (before.question !== question) {
      throw new Error("this request_id was used for something else");
    }
    return before.result;
  }
  const result = await work();
  await redis.set(name, JSON.stringify({ question, result }), "EX", 86_400);
  return result;
}
