import type { Entry } from "../../shared/entries.ts";
import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import type { StoredEvent } from "../live/stored-events.ts";
import type { Logged, Presented } from "../live/source.ts";
import type { RenderHtml } from "../text/changes.ts";
import { presentEntry } from "./present.ts";
import { countEntries, entriesByIds, type EntryRow } from "./queries.ts";

type StoredEntryEvent = Extract<StoredEvent<"blog">, { kind: `entry.${string}` }>;

export const isEntryEvent = (event: StoredEvent<"blog">): event is StoredEntryEvent => "entryId" in event;

type Present = (event: StoredEntryEvent) => Pick<Presented, "event" | "hiddenIfBlocked">;

/** Reads the entries that these events are about, and returns how to present them as they are now. */
export async function createEntryPresenter(
  connection: Connection,
  blogId: string,
  events: Logged<"blog">[],
  jitterMs: number,
  renderHtml: RenderHtml,
): Promise<Present> {
  const ids = new Set(events.flatMap(({ event }) => (isEntryEvent(event) ? [event.entryId] : [])));
  if (ids.size === 0) return () => ({ event: null });
  const rows = await entriesByIds(connection, [...ids]);
  const shown = new Map<string, { row: EntryRow; entry: Entry }>();
  for (const row of rows)
    if (row.withdrawnAt === null)
      shown.set(row.id, { row, entry: presentEntry(row, await renderHtml(row.html)) });
  const total = await countEntries(connection, blogId);
  return (event) => {
    const { kind, entryId } = event;
    if (kind === "entry.withdrawn") return { event: { kind, entryId, total } };
    const known = shown.get(entryId);
    if (!known) return { event: null };
    const { entry, row } = known;
    if (kind === "entry.liked") return { event: { kind, entryId, likesCount: entry.likesCount } };
    // The pages fetch one that is too long for all of them.
    if (Buffer.byteLength(entry.html) > limits.live.message)
      return { event: { kind: "accessRestored", jitterMs } };
    return {
      event: { kind, entry, total },
      // The entry stays: it is the blog's.
      hiddenIfBlocked: row.authorId
        ? [{ person: row.authorId, fallback: { kind, entry: { ...entry, author: null }, total } }]
        : [],
    };
  };
}
