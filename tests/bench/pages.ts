import { get, type IncomingHttpHeaders } from "node:http";
import autocannon from "autocannon";
import { median, startBarePeer, type Row, type Site } from "./bench-site.ts";

const seconds = 3;
const rounds = 5;
const headers = { "accept-encoding": "gzip, br", accept: "text/html" };

/** A guest's long article from the cache, beside bare Fastify serving the same bytes. Rounds of the two alternate. */
export async function cachedPage({ server, blog }: Site): Promise<Row[]> {
  const url = `${server.url}/blog/${blog.slug}`;
  const page = await fetchRaw(url);
  using bare = await startBarePeer();
  const contentHeaders = Object.fromEntries(
    ["content-type", "content-encoding"].flatMap((name) =>
      page.headers[name] ? [[name, String(page.headers[name])]] : [],
    ),
  );
  await fetch(`${bare.url}/page`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ bytes: page.bytes.toString("base64"), headers: contentHeaders }),
  });
  const bareResponse = await fetchRaw(`${bare.url}/page`);
  if (!bareResponse.bytes.equals(page.bytes)) throw new Error("The two do not answer the same bytes.");

  const rates = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const ours = await rate(url);
    const theirs = await rate(`${bare.url}/page`);
    // The first round warms both up.
    if (round === 0) continue;
    rates.ours.push(ours);
    rates.theirs.push(theirs);
  }
  const [ourMedian, theirMedian] = [median(rates.ours), median(rates.theirs)];
  const kilobytes = (page.bytes.length / 1024).toFixed(1);
  return [
    {
      title: `A guest's blog page (${kilobytes} kB as sent), beside bare Fastify`,
      ours: `${ourMedian.toFixed(0)}/s`,
      bare: `${theirMedian.toFixed(0)}/s`,
      value: ourMedian / theirMedian,
      unit: "×",
      target: { atLeast: 0.5 },
    },
  ];
}

async function rate(url: string): Promise<number> {
  const result = await autocannon({ url, connections: 20, duration: seconds, headers });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were refusals, ${result.errors} failed.`);
  return result.requests.average;
}

/** Fetches the bytes as sent: `fetch` would decompress them. */
function fetchRaw(url: string): Promise<{ bytes: Buffer; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        response.statusCode === 200
          ? resolve({ bytes: Buffer.concat(parts), headers: response.headers })
          : reject(new Error(`${url}: ${response.statusCode}`)),
      );
    }).on("error", reject);
  });
}
