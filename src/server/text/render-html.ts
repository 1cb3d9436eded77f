import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { DocumentError } from "../../shared/document/document-error.ts";
import type { ThreadPool } from "../workers/pool.ts";
import { renderBlocks, piecesToRender, type Piece } from "./render-blocks.ts";

/** Milliseconds that a page waits for highlighting; later pages take it from the cache. */
const highlightTimeoutMs = 1_000;
/** Characters of HTML above which a worker thread does all of it. */
const maxInlineLength = 200_000;
/** Texts with more pieces are cached whole: inserting them takes milliseconds. */
const maxPieces = 50;

const bounds = {
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ html }: { html: string | null }, key: string) => (html?.length ?? 0) + key.length + 100,
};
/** Highlighted code and formulas by digest; null if unchanged. */
const colored = new LRUCache<string, { html: string | null }>(bounds);
/** Long texts and texts of many pieces, by digest. */
const renderedTexts = new LRUCache<string, { html: string }>(bounds);
const pendingWork = new Map<string, Promise<void>>();

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
  const missingPieces = new Map<string, Piece>();
  for (const piece of pieces) {
    const key = keyOf(piece);
    if (!colored.has(key)) missingPieces.set(key, piece);
  }
  if (missingPieces.size > 0)
    await waitWithTimeout(
      shareWork([...missingPieces.keys()].join(" "), () => color(workers, missingPieces, client)),
    );
  const rendered = renderBlocks(
    html,
    (piece) => (piece.language || piece.formula) && colored.get(keyOf(piece))?.html,
  );
  if (text && pieces.every((piece) => colored.has(keyOf(piece)))) renderedTexts.set(text, { html: rendered });
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
  if (!renderedTexts.has(text))
    await waitWithTimeout(
      shareWork(text, async () => {
        const rendered = await workers.run("draw", { html }, client).catch(() => undefined);
        if (rendered !== undefined) renderedTexts.set(text, { html: rendered });
      }),
    );
  return renderedTexts.get(text)?.html ?? renderBlocks(html, () => undefined);
}

function shareWork(name: string, start: () => Promise<void>): Promise<void> {
  const work = pendingWork.get(name) ?? start().finally(() => pendingWork.delete(name));
  pendingWork.set(name, work);
  return work;
}

async function waitWithTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    work,
    new Promise<void>((resolve) => (timer = setTimeout(resolve, highlightTimeoutMs))),
  ]);
  clearTimeout(timer);
}

/** Does not retry pieces that took too long; if no thread was free, the next page retries. */
async function color(
  workers: ThreadPool,
  pieces: Map<string, Piece>,
  client: string | undefined,
): Promise<void> {
  const keys = [...pieces.keys()];
  try {
    const results = await workers.run("drawPieces", { pieces: [...pieces.values()] }, client);
    for (const [at, html] of results.entries()) colored.set(keys[at]!, { html });
  } catch (error) {
    if (error instanceof DocumentError) for (const key of keys) colored.set(key, { html: null });
  }
}
