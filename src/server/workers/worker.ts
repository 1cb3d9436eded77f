import { DocumentError } from "../../shared/document/document-error.ts";
import { stepBack } from "../priority.ts";
import { tasks } from "./tasks.ts";

/** What a worker is asked, and what it answers: an error of ours crosses by its words. */
export interface Asked {
  name: keyof typeof tasks;
  input: unknown;
}
export type Answered = { value: unknown } | { refused: string };

stepBack("thread");

/** The entry of a worker thread (`pool.ts`). */
export default async function answer({ name, input }: Asked): Promise<Answered> {
  try {
    return { value: await (tasks[name] as (given: unknown) => unknown)(input) };
  } catch (error) {
    if (error instanceof DocumentError) return { refused: error.message };
    throw error;
  }
}
