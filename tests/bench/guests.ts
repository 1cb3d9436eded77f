import { startBarePeer, type Row, type Site } from "./bench-site.ts";
import { costOf, startLoad, type CostTarget } from "./cost.ts";
import { send } from "./send.ts";

/** The connections that wait at the same time, as when a link to a blog is shared widely. */
const connections = 128;
const seconds = 5;
/** A page from memory takes so little time that the load would limit a longer round no less. */
const duration = { connections: 8, warmUp: 4, round: 2 };

/** A guest's long article from memory, beside bare Fastify answering the same bytes and headers. */
export const guests = (site: Site): Promise<Row[]> => fromMemory(site, site.blog.slug, "A guest's article");

/** The same for any blog, named by `what`. */
export async function fromMemory({ server }: Site, slug: string, what: string): Promise<Row[]> {
  const request = {
    path: `/blog/${slug}`,
    headers: { "accept-encoding": "gzip, deflate, br, zstd", accept: "text/html" },
  };
  using load = startLoad();
  using bare = await startBarePeer();
  // The second response is from memory.
  await send(server.url, request);
  const response = await send(server.url, request);
  const site: CostTarget = { url: server.url, pid: server.pid, requests: () => [request] };
  const peer = await bare.serve(response);
  const [ourCost, bareCost] = await costOf(load, [site, peer], duration);
  const waitAt = ({ url, requests }: CostTarget) =>
    load.run({ url, requests: requests(), connections, seconds });
  const [ours, theirs] = [await waitAt(site), await waitAt(peer)];
  const rate = ({ responses, usedCore }: typeof ours) =>
    `${(responses / seconds).toFixed(0)}/s (load at ${(usedCore * 100).toFixed(0)} %)`;
  return [
    {
      title: `${what} from memory (${(response.bytes.length / 1024).toFixed(1)} kB as sent), processor time`,
      ours: `${ourCost!.all.toFixed(3)} ms`,
      bare: `${bareCost!.all.toFixed(3)} ms`,
      value: ourCost!.all / bareCost!.all,
      unit: "×",
      target: { atMost: 2 },
    },
    {
      title: `Its p99 over ${connections} connections: ${rate(ours)}, bare ${rate(theirs)}`,
      ours: `${ours.p99.toFixed(1)} ms`,
      bare: `${theirs.p99.toFixed(1)} ms`,
      value: ours.p99,
      unit: "ms",
      target: { atMost: 30 },
    },
  ];
}
