import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { signUpAndSignIn, openBrowser, type SignedInBrowser } from "../support/browser.ts";
import { startServer, type ServerProcess } from "../support/server.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import type { CostTarget } from "./cost.ts";
import { send, type RawResponse } from "./send.ts";

/** A row of the table: `value` is compared with the target. */
export interface Row {
  title: string;
  ours: string;
  bare: string;
  value: number;
  unit: string;
  target?: { atLeast: number } | { atMost: number };
}

export const serverScript = "dist/current/server/main.js";

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the value that this part of the values (0.95 for 95 %) does not exceed. */
export const percentile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(part * values.length) - 1] ?? Number.NaN;

/** The built server with its own data folder and one long article. */
export interface Site extends AsyncDisposable {
  server: ServerProcess;
  dataDir: string;
  ana: SignedInBrowser;
  blog: { id: string; slug: string };
}

/** Opens a site of this build, or of another one's main.js. */
export async function openSite(script = serverScript, settings: Record<string, string> = {}): Promise<Site> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-bench-"));
  const server = await startServer({ DATA_DIR: dataDir, ...settings }, { script });
  const ana = await signUpAndSignIn(openBrowser(server.url), "Ana", path.join(dataDir, "outbox"));
  const blog = await ana.api.blogs.create.mutate(
    aBlog({ document: textLikeReal({ seed: 7, paragraphs: 50 }) }),
  );
  return {
    server,
    dataDir,
    ana,
    blog,
    [Symbol.asyncDispose]: async () => {
      await ana.close();
      await server.kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns paragraphs of sixty words that compress about as well as real text, the same in every run. */
export function textLikeReal({ seed, paragraphs: count }: { seed: number; paragraphs: number }) {
  const syllables = "na to re vi ka lo men ti sa rou ber an el ost ing der wal ha ou mi".split(" ");
  let state = seed;
  const pick = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const words = Array.from({ length: 600 }, () =>
    Array.from({ length: 1 + pick(3) }, () => syllables[pick(syllables.length)]).join(""),
  );
  const paragraph = () =>
    `${Array.from({ length: 60 }, () => words[Math.min(pick(600), pick(600))]).join(" ")}.`;
  return paragraphs(...Array.from({ length: count }, paragraph));
}

/** Starts another process that communicates over IPC. */
export function startProcess(file: string): {
  child: ChildProcess;
  next: <T>() => Promise<T>;
  request: <T>(order: object) => Promise<T>;
} & Disposable {
  const child = fork(path.join(import.meta.dirname, file));
  const ended = once(child, "exit").then(() => {
    throw new Error(`${file} ended before it answered; its error is printed above.`);
  });
  ended.catch(() => undefined);
  const next = async <T>() => (await Promise.race([once(child, "message"), ended]))[0] as T;
  return {
    child,
    next,
    request: <T>(order: object) => {
      const answer = next<T>();
      child.send(order);
      return answer;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** The headers that the bare peer leaves to its own server. */
const headersOfConnection = new Set([
  "connection",
  "keep-alive",
  "date",
  "content-length",
  "transfer-encoding",
]);

/** Starts bare-peer.ts. `serve` has it answer `GET /page` with the bytes and headers of a response of another server. */
export async function startBarePeer() {
  const bare = startProcess("bare-peer.ts");
  const url = `http://127.0.0.1:${await bare.next<number>()}`;
  const serve = async (response: RawResponse): Promise<CostTarget> => {
    if (response.status !== 200)
      throw new Error(`A request to measure was answered with ${response.status}.`);
    const headers = Object.entries(response.headers).filter(([name]) => !headersOfConnection.has(name));
    const page = { bytes: response.bytes.toString("base64"), headers: Object.fromEntries(headers) };
    const json = { "content-type": "application/json" };
    await send(url, { path: "/page", method: "PUT", headers: json, body: JSON.stringify(page) });
    return { url, pid: bare.child.pid ?? 0, requests: () => [{ path: "/page" }] };
  };
  return Object.assign(bare, { url, serve });
}
