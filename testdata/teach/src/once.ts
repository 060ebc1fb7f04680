import { runJob } from "@acme/jobs";

// runs work in a job of that name; a job that has run answers with what it gave
export async function once<T>(key: string, work: () => Promise<T>): Promise<T> {
  return runJob(key, work);
}
