import { useMemo, useState } from "react";
import type { WritersEvent } from "../../../shared/live.ts";
import type { Caret, Writer } from "../../../shared/writing.ts";
import { useConnectionState } from "../../api/connection-status.ts";
import { trpc } from "../../api/trpc.ts";
import type { Company, Other } from "../../editor/carets/carets.ts";
import type { SyncState } from "../../editor/sync/sync.ts";
import { useLiveEvents, useTopic } from "../../live/live.ts";
import type { Work } from "./work.ts";

/** Who else writes in a text, as the form shows them. */
export interface FormCompany extends Company {
  others: readonly (Other & Pick<Writer, "person">)[];
}

/** How a page stands in a text that several write in. */
interface InCompany {
  company: FormCompany;
  /** It is one of those who may write at once. */
  hasPlace: boolean;
  /** As many write as may at once: here it is read along until there is room. */
  isReading: boolean;
  tell: (caret: Caret) => Promise<boolean>;
}

const nobody: FormCompany = { others: [], isKnown: true };

/** Says that this page has the text open, and hears who else has. `topic` is the text's, null before the server knows of it. */
export function useCompany(
  account: string,
  topic: `writing:${string}` | null,
  work: Work | null,
  sync: SyncState,
): InCompany {
  const { client } = trpc.useUtils();
  const [told, setTold] = useState<{ topic: string; event: WritersEvent } | null>(null);
  const isOffline = useConnectionState() === "offline";
  const own = work?.at.client;
  useTopic(topic && own ? `here:${topic.slice("writing:".length)}:${own}` : null);
  useLiveEvents((event, from) => {
    if (event.kind === "writers") setTold({ topic: from, event });
    else if (event.kind === "accessLost" && from === topic) setTold(null);
  });
  const event = told && told.topic === topic && !isOffline ? told.event : null;
  const mine = event?.writers.find((one) => one.client === own);
  const company = useMemo(() => {
    const others = event?.writers.filter((one) => one !== mine) ?? [];
    if (others.length === 0) return nobody;
    return {
      others: others.map((one) => ({ ...one, name: nameOf(one, account) })),
      isKnown: mine?.caret !== null,
    };
  }, [event, mine, account]);
  const tell = (caret: Caret): Promise<boolean> => {
    if (!topic || !own) return Promise.resolve(false);
    const asked = { id: topic.slice("writing:".length), client: own, ...caret };
    // Where it is lost the next one is told.
    return client.blogs.here.mutate(asked).then(
      () => true,
      () => false,
    );
  };
  const isReading = sync.name === "full" || Boolean(own && event?.waiting.includes(own));
  return { company, hasPlace: mine !== undefined, isReading, tell };
}

const nameOf = ({ person }: Writer, account: string): string =>
  person.id === account ? "You, elsewhere" : person.name;
