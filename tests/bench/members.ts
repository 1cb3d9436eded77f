import path from "node:path";
import { newId } from "../../src/server/runtime/ids.ts";
import { openBrowser, password, signUpAndSignIn } from "../support/browser.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { startBarePeer, type Row, type Site } from "./bench-site.ts";
import { costOf, startLoad, type CostTarget } from "./cost.ts";
import type { LoadRequest } from "./load.ts";
import { send } from "./send.ts";

/** The most CPU time of each request, in milliseconds. */
const targets = {
  "An article for a member": 1.9,
  "Home for a member": 2.1,
  "A comment by tRPC": 0.7,
  "A comment by REST": 0.45,
  "20 blogs by REST, a guest": 0.15,
};
type Kind = keyof typeof targets;
/** As many comments as a round can send; ids may not repeat. */
const commentsPerRound = 30_000;

/**
 * The CPU time of what members request, and that of a bare Fastify answering a GET with the same bytes. With `other`, another
 * build's site, the two take turns, and the other's time stands in the title.
 */
export async function members(site: Site, other?: Site): Promise<Row[]> {
  using load = startLoad();
  using bare = await startBarePeer();
  const sites = [site, ...(other ? [other] : [])];
  const kinds = await Promise.all(sites.map(memberRequests));
  const rows: Row[] = [];
  for (const [kind, atMost] of Object.entries(targets) as [Kind, number][]) {
    const ofSites = kinds.map((requests, index): CostTarget => {
      const { url, pid } = sites[index]!.server;
      return { url, pid, requests: requests[kind] };
    });
    const peer = await bare.serve(await send(site.server.url, ofSites[0]!.requests()[0]!));
    const [bareTime, ours, others] = await costOf(load, [peer, ...ofSites]);
    rows.push({
      title: `${kind}, processor time${others ? ` (the other build: ${others.all.toFixed(2)} ms)` : ""}`,
      ours: `${ours!.all.toFixed(2)} ms`,
      bare: `${bareTime!.all.toFixed(3)} ms`,
      value: ours!.all,
      unit: "ms",
      target: { atMost },
    });
  }
  return rows;
}

/** Fills a site as a member finds it, and returns the requests of each kind. */
export async function memberRequests({
  server,
  ana,
  blog,
  dataDir,
}: Site): Promise<Record<Kind, () => LoadRequest[]>> {
  for (let number = 1; number <= 30; number++)
    await ana.api.blogs.create.mutate(
      aBlog({
        title: `A walk at night, the ${number}th`,
        document: paragraphs(`Owls, ${number} of them, mostly where nobody would look.`),
      }),
    );
  for (const text of ["Which owls?", "Tawny ones, by the sound of it.", "Lovely."])
    await ana.api.comments.create.mutate(aComment(blog, { text }));
  const ben = await signUpAndSignIn(openBrowser(server.url), "Ben", path.join(dataDir, "outbox"));
  await ben.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const signIn = await fetch(`${server.url}/api/v1/signin`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ben.email, password }),
  });
  const { token } = ((await signIn.json()) as { user: { token: string } }).user;
  await ben.close();
  const member = { cookie: ben.cookie };
  const page = (address: string) => (): LoadRequest[] => [
    {
      path: address,
      headers: { ...member, "accept-encoding": "gzip, deflate, br, zstd", accept: "text/html" },
    },
  ];
  const json = { "content-type": "application/json" };
  const bearer = { authorization: `Bearer ${token}` };
  const comment = aComment(blog);
  return {
    "An article for a member": page(`/blog/${blog.slug}`),
    "Home for a member": page("/home"),
    "A comment by tRPC": () =>
      Array.from({ length: commentsPerRound }, () => ({
        path: "/trpc/comments.create?batch=1",
        method: "POST",
        headers: { ...json, ...member, origin: server.url },
        body: JSON.stringify({ 0: { ...comment, id: newId() } }),
      })),
    "A comment by REST": () => [
      {
        path: `/api/v1/blogs/comment/${blog.id}`,
        method: "POST",
        headers: { ...json, ...bearer },
        body: JSON.stringify({ comment: "Lovely." }),
      },
    ],
    "20 blogs by REST, a guest": () => [{ path: "/api/v1/blogs?limit=20" }],
  };
}
