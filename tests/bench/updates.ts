import { aBlog, paragraphs } from "../support/sample-content.ts";
import type { Row, Site } from "./bench-site.ts";
import { startReaders } from "./fan-out.ts";
import { wrapMark } from "./readers.ts";

const blocks = 433;

/** The size of an update of a long text: another paragraph at its end, as an open page gets it. */
export async function updates({ server, ana }: Site): Promise<Row[]> {
  const lines = Array.from({ length: blocks }, () =>
    "One hears owls, mostly, and now and then a train. ".repeat(5),
  );
  const blog = aBlog({ document: paragraphs(...lines) });
  const { id } = blog;
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const { cursor, html } = await ana.api.blogs.bySlug.query({ slug });
  const input = { topics: [`blog:${id}`], since: cursor };
  const hello = JSON.stringify({ id: 1, method: "subscription", params: { path: "live.follow", input } });
  using readers = startReaders();
  await readers.command({ open: `${server.url.replace("http", "ws")}/trpc`, readers: 1, hello });
  const mark = "update";
  const document = paragraphs(...lines, `What a walk. ${wrapMark(mark)} `.repeat(4).trim());
  const { message } = await readers.measureDelivery(mark, () =>
    ana.api.blogs.update.mutate({ id, document }),
  );
  const kilobytes = Buffer.byteLength(message) / 1_000;
  return [
    {
      title: `An update of ${blocks} blocks, as a page gets it (the text is ${(html.length / 1_000).toFixed(0)} kB)`,
      ours: `${kilobytes.toFixed(1)} kB`,
      bare: "",
      value: kilobytes,
      unit: "kB",
      target: { atMost: 4 },
    },
  ];
}
