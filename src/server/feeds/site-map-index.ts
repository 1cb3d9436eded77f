import type { SiteMapEntry } from "../database/site-map.ts";
import type { Bus } from "../live/bus.ts";
import type { FinishedPage } from "../pages/page-cache.ts";
import type { Reads } from "../workers/reader.ts";
import type { ReaderPool } from "../workers/reader-pool.ts";
import { mapIndex } from "./site-map-xml.ts";

/** Parts queried at once; the reader thread serves searches in between. */
const partsPerQuery = 10;

/** An index is reused for some milliseconds for each part after the first ones, and at most so long. */
const freeParts = 3;
const reuseMsPerPart = 1_000;
const maxReuseMs = 60_000;

/** A tags part's last change, and the tag before the next part. */
type Changed = ReturnType<Reads["mapTagsChanged"]>;

interface SiteMapIndex {
  xml: string;
  /** The parts that were read for it. */
  parts: number;
  /** The tags in its addresses. */
  tags: string[];
}

/** Reads the last change of every part of blogs and tags, and which parts of people are not empty. */
export async function readSiteMapIndex(
  readers: ReaderPool,
  query: { file: string; size: number; origin: string; now: number },
  client: string,
): Promise<SiteMapIndex> {
  const { file, size, origin, now } = query;
  const counts = await readers.run("mapParts", { file, size }, client);
  const changeTimes: (number | null)[] = [];
  while (changeTimes.length < counts.blogs) {
    const parts = numbers(counts.blogs).slice(changeTimes.length, changeTimes.length + partsPerQuery);
    changeTimes.push(...(await readers.run("mapChanged", { ...query, parts }, client)));
  }
  const peopleParts: number[] = [];
  for (let first = 0; first < counts.people; first += partsPerQuery) {
    const parts = numbers(counts.people).slice(first, first + partsPerQuery);
    peopleParts.push(...(await readers.run("mapPeopleParts", { ...query, parts }, client)));
  }
  const tagParts: { after: string; at: number | null }[] = [];
  for (let after: string | null = ""; after !== null;) {
    const { at, next }: Changed = await readers.run("mapTagsChanged", { file, size, now, after }, client);
    tagParts.push({ after, at });
    after = next;
  }
  const listedTags = tagParts.filter(({ at }) => at !== null);
  return {
    parts: counts.blogs + counts.people + tagParts.length,
    tags: listedTags.map(({ after }) => after).filter((after) => after !== ""),
    xml: mapIndex(origin, [
      { path: "/sitemap-site.xml", at: null },
      ...changeTimes.flatMap((at, index): SiteMapEntry[] =>
        at === null ? [] : [{ path: `/sitemap-${index + 1}.xml`, at }],
      ),
      ...peopleParts.map((part) => ({ path: `/sitemap-people-${part}.xml`, at: null })),
      ...listedTags.map(({ after, at }) => ({ path: tagsAfter(after), at })),
    ]),
  };
}

interface LastIndex {
  page: FinishedPage;
  tags: string[];
  until: number;
  isBeingReplaced: boolean;
  /** The number of signals after which its tags were checked. */
  checkedSignals: number;
}

/**
 * Reuses a large site's index for some seconds after a change, since it costs as much as all its parts: at most one part a
 * second is read. It may show an earlier date of a part. The parts themselves are never reused.
 */
export class SiteMapIndexCache {
  readonly #now: () => number;
  #last: LastIndex | undefined;
  #signals = 0;

  /** `topics` are signalled when public content disappears. */
  constructor(bus: Pick<Bus, "listen">, topics: string[], now: () => number) {
    this.#now = now;
    for (const topic of topics) bus.listen(topic, () => void this.#signals++);
  }

  /** Returns the last index if it is recent or being replaced, and guests can still see the tags in its addresses. */
  async recent(arePublic: (tags: string[]) => Promise<boolean>): Promise<FinishedPage | undefined> {
    const last = this.#last;
    if (!last || (this.#now() >= last.until && !last.isBeingReplaced)) return undefined;
    const signals = this.#signals;
    if (last.tags.length > 0 && last.checkedSignals !== signals) {
      if (!(await arePublic(last.tags))) return undefined;
      last.checkedSignals = signals;
    }
    return last.page;
  }

  /** Writes the index. Meanwhile others get the last one. */
  async replace(
    write: () => Promise<{ page: FinishedPage; parts: number; tags: string[] } | undefined>,
  ): Promise<FinishedPage | undefined> {
    const last = this.#last;
    if (last) last.isBeingReplaced = true;
    try {
      const written = await write();
      if (!written) return undefined;
      const { page, parts, tags } = written;
      const reuseMs = Math.min(maxReuseMs, Math.max(0, parts - freeParts) * reuseMsPerPart);
      this.#last =
        reuseMs > 0
          ? { page, tags, until: this.#now() + reuseMs, isBeingReplaced: false, checkedSignals: -1 }
          : undefined;
      return page;
    } finally {
      if (last) last.isBeingReplaced = false;
    }
  }
}

export const tagsAfter = (after: string): string =>
  `/sitemap-tags.xml${after === "" ? "" : `?${new URLSearchParams({ after })}`}`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
