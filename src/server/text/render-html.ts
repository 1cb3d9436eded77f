import { hash } from "node:crypto";
import { DocumentError } from "../../shared/document/document-error.ts";
import { cacheMemory } from "../runtime/cache.ts";
import type { ThreadPool } from "../workers/pool.ts";
import { renderBlocks, piecesToRender, type Piece } from "./render-blocks.ts";

/** Milliseconds that a page waits for highlighting; later pages take it from the cache. */
const highlightTimeoutMs = 1_000;
/** Characters of HTML above which a worker thread does all of it. */
const maxInlineLength = 200_000;
/** Texts with more pieces are cached whole: inserting them takes milliseconds. */
const maxPieces = 50;

const sizeOf = ({ html }: { html: string | null }): number => 2 * (html?.length ?? 0);
/** Highlighted code and formulas by digest; null if unchanged. */
const colored = cacheMemory.open<{ html: string | null }>({ sizeOf });
type Colored = Map<string, { html: string | null }>;
/** Long texts and texts of many pieces, by digest. */
const renderedTexts = cacheMemory.open<{ html: string }>({ sizeOf });

const digestOf = (text: string): string => hash("sha1", text, "base64url");
const keyOf = ({ language, html, formula }: Piece): string =>
  digestOf(`${formula ?? language} ${formula ? " " : ""}${html}`);

/**
 * Returns a text's HTML as pages show it; not for the API and feeds. Except for the total limits each block is
 * rendered independently, so that pages and live updates agree. `client`: the account or address that it is for.
 */
export async function renderedHtml(workers: ThreadPool, html: string, client?: string): Promise<string> {
  if (html.length > maxInlineLength) return renderInWorker(workers, html, client);
  const pieces = piecesToRender(html);
  const text = pieces.length > maxPieces ? digestOf(html) : "";
  const cached = text && renderedTexts.get(text);
  if (cached) return cached.html;
  const known: Colored = new Map();
  const missingPieces = new Map<string, Piece>();
  for (const piece of pieces) {
    const key = keyOf(piece);
    const kept = colored.get(key);
    if (kept) known.set(key, kept);
    else missingPieces.set(key, piece);
  }
  if (missingPieces.size > 0) {
    const name = [...missingPieces.keys()].join(" ");
    const made = await inTime(shared(pendingPieces, name, () => color(workers, missingPieces, client)));
    for (const [key, piece] of made ?? []) known.set(key, piece);
  }
  const rendered = renderBlocks(
    html,
    (piece) => (piece.language || piece.formula) && known.get(keyOf(piece))?.html,
  );
  if (text && pieces.every((piece) => known.has(keyOf(piece)))) renderedTexts.set(text, { html: rendered });
  return rendered;
}

/** Whether all code and formulas are processed; otherwise the text is soon rendered again. */
export const isColored = (html: string): boolean =>
  renderedTexts.has(digestOf(html)) ||
  (html.length <= maxInlineLength && piecesToRender(html).every((piece) => colored.has(keyOf(piece))));

/** Renders a long text, without highlighting if no thread does it in time. */
async function renderInWorker(
  workers: ThreadPool,
  html: string,
  client: string | undefined,
): Promise<string> {
  const text = digestOf(html);
  const rendered =
    renderedTexts.get(text)?.html ??
    (await inTime(
      shared(pendingTexts, text, async () => {
        const made = await workers.run("draw", { html }, client).catch(() => undefined);
        if (made !== undefined) renderedTexts.set(text, { html: made });
        return made;
      }),
    ));
  return rendered ?? renderBlocks(html, () => undefined);
}

const pendingPieces = new Map<string, Promise<Colored>>();
const pendingTexts = new Map<string, Promise<string | undefined>>();

/** Shares work between those who need it at the same time. */
function shared<Made>(
  pending: Map<string, Promise<Made>>,
  name: string,
  start: () => Promise<Made>,
): Promise<Made> {
  const work = pending.get(name) ?? start().finally(() => pending.delete(name));
  pending.set(name, work);
  return work;
}

/** Returns what was made, or undefined if that takes too long. */
async function inTime<Made>(work: Promise<Made>): Promise<Made | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(
    (resolve) => (timer = setTimeout(resolve, highlightTimeoutMs, undefined)),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Does not retry pieces that took too long; if no thread was free, the next page retries. */
async function color(
  workers: ThreadPool,
  pieces: Map<string, Piece>,
  client: string | undefined,
): Promise<Colored> {
  const made: Colored = new Map();
  const keys = [...pieces.keys()];
  try {
    const results = await workers.run("drawPieces", { pieces: [...pieces.values()] }, client);
    for (const [at, html] of results.entries()) made.set(keys[at]!, { html });
  } catch (error) {
    if (error instanceof DocumentError) for (const key of keys) made.set(key, { html: null });
  }
  for (const [key, piece] of made) colored.set(key, piece);
  return made;
}
