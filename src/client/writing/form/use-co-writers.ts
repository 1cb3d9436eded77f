import { useMemo, useState } from "react";
import type { WritersEvent } from "../../../shared/live.ts";
import type { Caret, Writer } from "../../../shared/drafts.ts";
import { useConnectionState } from "../../api/connection-status.ts";
import { trpc } from "../../api/trpc.ts";
import type { WriterPresence, OtherWriter } from "../../editor/carets/carets.ts";
import type { SyncState } from "../commits.ts";
import { useLiveEvents, useTopic } from "../../live/live.ts";

/** The others in a text, as the form shows them. */
export interface FormCoWriters extends WriterPresence {
  others: readonly (OtherWriter & Pick<Writer, "person">)[];
}

/** The state of a page among those that write in a text. */
interface CoWriting {
  company: FormCoWriters;
  /** It is one of those that can write at once. */
  hasPlace: boolean;
  /** All places are taken: the form is read-only until one is free. */
  isReading: boolean;
  sendCaret: (caret: Caret) => Promise<boolean>;
}

const noCoWriters: FormCoWriters = { others: [], isKnown: true };

/** Announces this page in the text and returns who else has it open. `topic` is null before the server knows the text. */
export function useCoWriters(
  account: string,
  topic: `draft:${string}` | null,
  ownClient: string | undefined,
  sync: SyncState,
): CoWriting {
  const { client } = trpc.useUtils();
  const [latest, setLatest] = useState<{ topic: string; event: WritersEvent } | null>(null);
  const isOffline = useConnectionState() === "offline";
  useTopic(topic && ownClient ? `here:${topic.slice("draft:".length)}:${ownClient}` : null);
  useLiveEvents((event, from) => {
    if (event.kind === "writers") setLatest({ topic: from, event });
    else if (event.kind === "accessLost" && from === topic) setLatest(null);
  });
  const event = latest && latest.topic === topic && !isOffline ? latest.event : null;
  const mine = event?.writers.find((one) => one.client === ownClient);
  const company = useMemo(() => {
    const isOwnClosed = (one: Writer) => one.isLeaving && one.person.id === account;
    const others = event?.writers.filter((one) => one !== mine && !isOwnClosed(one)) ?? [];
    if (others.length === 0) return noCoWriters;
    return {
      others: others.map((one) => ({ ...one, name: nameOf(one, account) })),
      isKnown: mine?.caret !== null,
    };
  }, [event, mine, account]);
  const sendCaret = (caret: Caret): Promise<boolean> => {
    if (!topic || !ownClient) return Promise.resolve(false);
    const input = { id: topic.slice("draft:".length), client: ownClient, ...caret };
    // If it is lost, the next one is sent.
    return client.blogs.here.mutate(input).then(
      () => true,
      () => false,
    );
  };
  const isReading = sync.name === "full" || Boolean(ownClient && event?.waiting.includes(ownClient));
  return { company, hasPlace: mine !== undefined, isReading, sendCaret };
}

const nameOf = ({ person }: Writer, account: string): string =>
  person.id === account ? "You, elsewhere" : person.name;
