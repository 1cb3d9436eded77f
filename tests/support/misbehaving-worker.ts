import type { TaskResult, TaskRequest } from "../../src/server/workers/worker.ts";

/** A worker that does what its input says. */
export default function misbehave({ input }: TaskRequest): TaskResult {
  const { text } = input as { text: string };
  if (text === "fail") throw new Error("A bug.");
  if (text === "loop") for (;;);
  if (text === "hoard")
    for (const chunks: number[][] = []; ;) chunks.push(Array.from({ length: 10_000 }, Math.random));
  return { value: null };
}
