import type { LiveEvent, TopicName } from "../../shared/live.ts";
import type { ForeseenEvent, Hands } from "./own.ts";

/** What an event is applied with. */
export interface About<Input> {
  input: Input;
  topic: TopicName | "";
  /** Made by this page, and not told by the server yet. */
  own: boolean;
  /** Whose tab this is; null for a guest's. */
  me: string | null;
}

/** The answer is older than the server's in a way that the event does not tell. */
export const ask = Symbol("ask again");

/** For rows that can only ask. */
export const askAgain = (): typeof ask => ask;

/** An answer after an event that does not tell all of it: it shows as `data` until the server has answered. */
export class Lacking<Data> {
  readonly data: Data;
  constructor(data: Data) {
    this.data = data;
  }
}

type On<Data, Input> = {
  [Kind in (LiveEvent | ForeseenEvent)["kind"]]?: (
    data: Data,
    event: Extract<LiveEvent | ForeseenEvent, { kind: Kind }>,
    about: About<Input>,
  ) => Data | Lacking<Data> | typeof ask;
};

/**
 * How the answers of one procedure are kept while they are shown: which topics tell of them, and what each kind of event
 * makes of them. A function answers with the very same data where nothing changes, and changes nothing when it is applied
 * twice. `accessRestored` and `reset` ask again without being named.
 */
export interface Kept<Data = unknown, Input = unknown> {
  topics: (data: Data, input: Input) => readonly (TopicName | false)[];
  on: On<Data, Input>;
  /** What an answer that an event asked for makes of what is shown, where it does not just take its place. */
  merge?: (shown: Data, answer: Data, input: Input) => Data;
  /** Milliseconds over which pages that ask again wait by chance, where the event does not say. */
  jitterMs?: number;
  /** How it is asked for again where that takes more than asking as before. What is shown is read when it is needed. */
  again?: (client: Hands["client"], input: Input, shown: () => Data) => Promise<Data>;
  /** How it is asked for after a `reset`, where that is to read what is shown anew, and to choose nothing else. */
  calm?: (client: Hands["client"], shown: () => Data) => Promise<Data>;
}

/** Rows of the table by the procedure's name, `"blogs.list"`. */
export type KeptTable = Readonly<Record<string, Kept>>;

/** Names the data and input of a row, which the table then holds without them. */
export const kept = <Data, Input = unknown>(row: Kept<Data, Input>): Kept => row as unknown as Kept;
