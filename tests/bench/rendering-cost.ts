import { readFileSync } from "node:fs";
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import path from "node:path";
import { signUpAndSignIn, openBrowser, password } from "../support/browser.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { startBarePeer, type Row, type Site } from "./bench-site.ts";
import { measureAtFullSpeed } from "./measure-at-full-speed.ts";

/** The number of requests that warm a page up until the engine has compiled its code. */
const warmUpRequests = 6_000;
const countedRequests = 600;
/** Concurrent requests. */
const concurrency = 4;
const ticksPerSecond = 100;

interface BenchRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}
interface BenchResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** The CPU time of a rendered page and of a comment, in milliseconds per request, independent of other load. */
export async function renderingCost({ server, ana, blog, dataDir }: Site): Promise<Row[]> {
  await publishMore(ana.api);
  for (const text of ["Which owls?", "Tawny ones, by the sound of it.", "Lovely."])
    await ana.api.comments.create.mutate(aComment(blog, { text }));
  const ben = await signUpAndSignIn(openBrowser(server.url), "Ben", path.join(dataDir, "outbox"));
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const token = await signIn(server.url, ben.email);
  const article = `/blog/${blog.slug}`;
  const member = { cookie: ben.cookie };
  // An ended session counts as a guest, whose page is never cached.
  const guest = { cookie: `${ben.cookie.split("=")[0]}=over` };
  const json = { "content-type": "application/json" };
  const rest = (): BenchRequest => ({
    path: `/api/v1/blogs/comment/${blog.id}`,
    method: "POST",
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ comment: "Lovely." }),
  });
  const trpc = (): BenchRequest => ({
    path: "/trpc/comments.create?batch=1",
    method: "POST",
    headers: { ...json, ...member, origin: server.url },
    body: JSON.stringify({ 0: aComment(blog) }),
  });
  using bare = await startBarePeer();
  const rows: Row[] = [];
  const measure = async (what: string, makeRequest: () => BenchRequest, atMost: number, isPage: boolean) => {
    const ours = await cpuTimePerRequest(server, makeRequest);
    const theirs = isPage ? await costOfBare(bare, await send(server.url, makeRequest())) : undefined;
    rows.push({
      title: `${what}, processor time`,
      ours: `${ours.toFixed(2)} ms`,
      bare: theirs === undefined ? "" : `${theirs.toFixed(2)} ms`,
      value: ours,
      unit: "ms",
      target: { atMost },
    });
  };
  const page = (address: string, headers: Record<string, string>) => (): BenchRequest => ({
    path: address,
    headers: { ...headers, "accept-encoding": "gzip, deflate, br, zstd", accept: "text/html" },
  });
  await measure("An article for a member", page(article, member), 1.2, true);
  await measure("Home for a member", page("/home", member), 1.5, true);
  await measure("An article for a guest, not kept", page(article, guest), 0.8, true);
  await measure("Home for a guest, not kept", page("/home", guest), 0.8, true);
  await measure("A comment by REST", rest, 0.4, false);
  await measure("A comment by tRPC", trpc, 0.4, false);
  await ben.close();
  return rows;
}

/** Publishes more blogs than a page of the feed has. */
async function publishMore(api: Site["ana"]["api"]): Promise<void> {
  for (let number = 1; number <= 30; number++)
    await api.blogs.create.mutate(
      aBlog({
        title: `A walk at night, the ${number}th`,
        document: paragraphs(`Owls, ${number} of them, mostly where nobody would look.`),
      }),
    );
}

async function signIn(url: string, email: string): Promise<string> {
  const body = JSON.stringify({ email, password });
  const { bytes } = await send(url, {
    path: "/api/v1/signin",
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return (JSON.parse(String(bytes)) as { user: { token: string } }).user.token;
}

async function costOfBare(
  bare: Awaited<ReturnType<typeof startBarePeer>>,
  page: BenchResponse,
): Promise<number> {
  const contentHeaders = Object.fromEntries(
    ["content-type", "content-encoding"].flatMap((name) =>
      page.headers[name] ? [[name, String(page.headers[name])]] : [],
    ),
  );
  await send(bare.url, {
    path: "/page",
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ bytes: page.bytes.toString("base64"), headers: contentHeaders }),
  });
  return cpuTimePerRequest({ url: bare.url, pid: bare.child.pid ?? 0 }, () => ({ path: "/page" }));
}

/** Returns the CPU time of a request in milliseconds, in all threads and in the kernel. */
async function cpuTimePerRequest(
  { url, pid }: { url: string; pid: number },
  makeRequest: () => BenchRequest,
): Promise<number> {
  await sendMany(url, makeRequest, warmUpRequests);
  return measureAtFullSpeed(async () => {
    const start = ticksOf(pid);
    await sendMany(url, makeRequest, countedRequests);
    return ((ticksOf(pid) - start) * 1_000) / ticksPerSecond / countedRequests;
  });
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may contain anything; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

async function sendMany(url: string, makeRequest: () => BenchRequest, count: number): Promise<void> {
  let remaining = count;
  const worker = async () => {
    while (remaining-- > 0) {
      const { status } = await send(url, makeRequest());
      if (status !== 200) throw new Error(`${makeRequest().path}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Sends a request over a persistent connection. Returns the raw bytes, compressed if that was requested. */
export function send(
  url: string,
  { path: address, method = "GET", headers = {}, body }: BenchRequest,
): Promise<BenchResponse> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(url + address, { agent, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      );
    });
    clientRequest.once("error", reject);
    clientRequest.end(body);
  });
}
