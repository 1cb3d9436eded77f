import type { LiveEvent, TopicName } from "../../../shared/live.ts";
import type { MutationContext, OptimisticEvent } from "../mutations/optimistic-mutations.ts";

/** What a handler knows beside the event. */
export interface EventContext<Input> {
  input: Input;
  topic: TopicName | "";
  /** The event is optimistic: made by this tab, and not sent by the server yet. */
  isOptimistic: boolean;
  /** The signed-in person's id; null for a guest. */
  viewerId: string | null;
}

/** A handler's answer where the event does not say enough to update the data: the query is fetched again. */
export const REFETCH = Symbol("refetch");

/** A handler that always fetches again. */
export const refetch = (): typeof REFETCH => REFETCH;

/** A handler's answer where the event says only part of the change: `data` is shown until the query is fetched again. */
export class Incomplete<Data> {
  readonly data: Data;
  constructor(data: Data) {
    this.data = data;
  }
}

type EventHandlers<Data, Input> = {
  [Kind in (LiveEvent | OptimisticEvent)["kind"]]?: (
    data: Data,
    event: Extract<LiveEvent | OptimisticEvent, { kind: Kind }>,
    context: EventContext<Input>,
  ) => Data | Incomplete<Data> | typeof REFETCH;
};

/**
 * How a procedure's answers stay current while they are shown: the topics whose events change them, and a handler for each
 * kind of event. A handler is pure, returns the same object where nothing changes, and changes nothing when it is applied
 * twice. `accessRestored` and `reset` fetch again without a handler.
 */
export interface LiveQuery<Data = unknown, Input = unknown> {
  topics: (data: Data, input: Input) => readonly (TopicName | false)[];
  on: EventHandlers<Data, Input>;
  /** Merges an answer that an event asked for into the data that is shown; by default it replaces it. */
  merge?: (shown: Data, answer: Data, input: Input) => Data;
  /** The longest random delay before fetching again, in milliseconds, where the event names none. */
  jitterMs?: number;
  /** Fetches again, where that takes more than the query's own call. */
  refetch?: (client: MutationContext["client"], input: Input, shown: () => Data) => Promise<Data>;
  /** Fetches after a `reset`, where the entries that are shown must stay and only be brought up to date. */
  refetchVisible?: (client: MutationContext["client"], shown: () => Data) => Promise<Data>;
}

/** Live queries by the name of their procedure, such as `"blogs.list"`. */
export type LiveQueries = Readonly<Record<string, LiveQuery>>;

/** Checks a live query against the types of its data and input, which the table then holds without them. */
export const liveQuery = <Data, Input = unknown>(query: LiveQuery<Data, Input>): LiveQuery =>
  query as unknown as LiveQuery;
