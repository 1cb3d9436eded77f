import { DocumentError } from "../../shared/document/document-error.ts";
import { lowerPriority } from "../runtime/priority.ts";
import { tasks } from "./tasks.ts";

/** A task, and its result; a `DocumentError` crosses as its message. */
export interface TaskRequest {
  name: keyof typeof tasks;
  input: unknown;
}
export type TaskResult = { value: unknown } | { refused: string };

lowerPriority("thread");

/** The entry of a worker thread (`pool.ts`). */
export default async function answer({ name, input }: TaskRequest): Promise<TaskResult> {
  try {
    return { value: await (tasks[name] as (input: unknown) => unknown)(input) };
  } catch (error) {
    if (error instanceof DocumentError) return { refused: error.message };
    throw error;
  }
}
