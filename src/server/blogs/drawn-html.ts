import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { DocumentError } from "../../shared/document/document-error.ts";
import type { Workers } from "../workers/pool.ts";
import { dress, piecesToDraw, type Piece } from "./drawn-blocks.ts";

/** Milliseconds that a page waits for colours; it is drawn without them then, and the next one has them. */
const patience = 1_000;
/** Characters of HTML beyond which a worker does all of it. */
const mostHere = 200_000;
/** A text of more pieces is kept as it was drawn: to put so many in again takes milliseconds. */
const many = 50;
/** All readers wait in one row, which is no longer than that of one account. */
const whose = "code";

const bounds = {
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ html }: { html: string | null }, key: string) => (html?.length ?? 0) + key.length + 100,
};
/** Code in its inks, and formulas, by what they say; null where it stays as it is. */
const colored = new LRUCache<string, { html: string | null }>(bounds);
/** Texts that are long or have many of these, by what they say. */
const dressed = new LRUCache<string, { html: string }>(bounds);
const underWay = new Map<string, Promise<void>>();

const digestOf = (text: string): string => hash("sha1", text, "base64url");
const keyOf = ({ language, html, formula }: Piece): string =>
  digestOf(`${formula ?? language} ${formula ? " " : ""}${html}`);

/**
 * A text as pages draw it (`dress`). But for the bounds of all code and formulas, what a block becomes depends on nothing beside it: it is the same in
 * a page and in what brings a page up to date. No other reader of the HTML has any of it.
 */
export async function drawnHtml(workers: Workers, html: string): Promise<string> {
  if (html.length > mostHere) return drawnElsewhere(workers, html);
  const pieces = piecesToDraw(html);
  const text = pieces.length > many ? digestOf(html) : "";
  const known = text && dressed.get(text);
  if (known) return known.html;
  const wanted = new Map<string, Piece>();
  for (const piece of pieces) {
    const key = keyOf(piece);
    if (!colored.has(key)) wanted.set(key, piece);
  }
  if (wanted.size > 0) await inTime(together([...wanted.keys()].join(" "), () => color(workers, wanted)));
  const drawn = dress(html, (piece) => (piece.language || piece.formula) && colored.get(keyOf(piece))?.html);
  if (text && pieces.every((piece) => colored.has(keyOf(piece)))) dressed.set(text, { html: drawn });
  return drawn;
}

/** Whether all its code and formulas have been looked at: what is drawn before that is soon drawn anew. */
export const isColored = (html: string): boolean =>
  dressed.has(digestOf(html)) ||
  (html.length <= mostHere && piecesToDraw(html).every((piece) => colored.has(keyOf(piece))));

/** A long text; where no worker does it in time, it is drawn without colours. */
async function drawnElsewhere(workers: Workers, html: string): Promise<string> {
  const text = digestOf(html);
  if (!dressed.has(text))
    await inTime(
      together(text, async () => {
        const drawn = await workers.run("draw", { html }, whose).catch(() => undefined);
        if (drawn !== undefined) dressed.set(text, { html: drawn });
      }),
    );
  return dressed.get(text)?.html ?? dress(html, () => undefined);
}

/** The same work for all who ask for it while it is under way. */
function together(name: string, begin: () => Promise<void>): Promise<void> {
  const work = underWay.get(name) ?? begin().finally(() => underWay.delete(name));
  underWay.set(name, work);
  return work;
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)))]);
  clearTimeout(timer);
}

/** What has taken a thread for too long is not tried again; where there is no thread, the next page asks. */
async function color(workers: Workers, wanted: Map<string, Piece>): Promise<void> {
  const keys = [...wanted.keys()];
  try {
    const done = await workers.run("drawPieces", { pieces: [...wanted.values()] }, whose);
    // What it had no time for is asked for by the next page.
    for (const [at, html] of done.entries()) colored.set(keys[at]!, { html });
  } catch (error) {
    if (error instanceof DocumentError) for (const key of keys) colored.set(key, { html: null });
  }
}
