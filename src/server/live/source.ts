import { setTimeout as pause } from "node:timers/promises";
import type { LiveEvent, LiveMessage } from "../../shared/live.ts";
import type { LogEntry } from "./event-log.ts";
import { isBusy } from "../database/errors.ts";
import { parseStoredEvent, type StoredEvent, type Topic, type TopicKind } from "./stored-events.ts";

/** Milliseconds until another try to read what events are about. */
const retryMs = 500;

/** An event as it is sent, the same object for every reader, so that it is written once (`shared-messages.ts`). */
export interface Frame {
  seq: number;
  message: LiveMessage;
  /** Bytes of the message as JSON, once somebody has missed it. */
  bytes?: number;
  /** Set where not everybody who can read the topic gets the event; see `isInAudience` of `TopicStreamOptions`. */
  audience?: string | undefined;
  /** The people the event is by or about. A reader from whom one is hidden gets the fallback of the first of those, or nothing. */
  hiddenIfBlocked?: HiddenIfBlocked<LiveMessage>[] | undefined;
}

interface HiddenIfBlocked<What> {
  person: string;
  /** Applies to readers who muted the person, too. */
  alsoIfMuted?: true;
  fallback?: What | null | undefined;
}

/** Presents a stored topic under one name: an open blog and its card present the same stored events differently. */
export interface Source {
  name: LiveMessage["topic"];
  topic: Topic;
  /** Makes frames of stored events, once for all readers. Pages that have to refetch wait at random up to `jitterMs`. */
  frames: (entries: LogEntry[], jitterMs: number, onError: OnError) => Promise<Frame[]>;
}

export type OnError = (error: unknown, what: string) => void;

/** What a presenter returns for a stored event. */
export interface Presented {
  seq: number;
  /** Null where there is nothing to show any more. */
  event: LiveEvent | null;
  audience?: string | undefined;
  hiddenIfBlocked?: HiddenIfBlocked<LiveEvent>[] | undefined;
}

/** A stored event with its sequence number. */
export interface Logged<Kind extends TopicKind> {
  seq: number;
  event: StoredEvent<Kind>;
}

/**
 * Creates the source of a topic. `present` gets one or many stored events and returns the state of now. Events that it
 * cannot present, and those of an unknown kind, are logged and left out. While the store is away it waits.
 */
export function createSource<Kind extends TopicKind>(
  kind: Kind,
  topic: Topic<Kind>,
  name: LiveMessage["topic"],
  present: (events: Logged<Kind>[], jitterMs: number) => Promise<Presented[]>,
): Source {
  return {
    name,
    topic,
    frames: async (entries, jitterMs, onError) => {
      const events = entries.flatMap(({ seq, event: storedEvent }) => {
        const event = parseStoredEvent(kind, storedEvent);
        if (!event)
          onError(new Error(`This is no event of the topic ${kind}.`), "an unknown event was skipped");
        return event ? [{ seq, event }] : [];
      });
      const presentOne = (event: Logged<Kind>) =>
        present([event], jitterMs).catch((error: unknown) => {
          if (isBusy(error)) throw error;
          onError(error, "an event could not be presented and was skipped");
          return [];
        });
      const presented = await onceStoreAnswers(() =>
        present(events, jitterMs).catch(async (error: unknown) => {
          if (isBusy(error)) throw error;
          return (await Promise.all(events.map(presentOne))).flat();
        }),
      );
      const messageFor = (event: LiveEvent): LiveMessage => ({
        topic: event.kind === "reset" ? "" : name,
        event,
      });
      return presented.flatMap(({ seq, event, audience, hiddenIfBlocked }) =>
        event
          ? [
              {
                seq,
                message: messageFor(event),
                audience,
                hiddenIfBlocked: hiddenIfBlocked?.map(({ fallback, ...hiding }) => ({
                  ...hiding,
                  fallback: fallback && messageFor(fallback),
                })),
              },
            ]
          : [],
      );
    },
  };
}

/**
 * Returns what `read` returns, tried again while the store is away: nothing is wrong with the events, and thousands of streams that end
 * would all come back at once.
 */
async function onceStoreAnswers<Result>(read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await pause(retryMs, undefined, { ref: false });
  }
}
