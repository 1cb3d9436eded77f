import { gzipSync } from "node:zlib";
import type { Row, Site } from "./parts.ts";

/** The scripts that a guest's browser loads with a blog page: those the page names, and what they import before they run. */
export async function pageWeight({ server, blog }: Site): Promise<Row[]> {
  const html = await (await fetch(`${server.url}/blog/${blog.slug}`)).text();
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].flatMap(([, address]) => address ?? []);
  const sizes = new Map<string, number>();
  const pending = [...new Set(named)];
  for (let address = pending.pop(); address !== undefined; address = pending.pop()) {
    if (sizes.has(address)) continue;
    const response = await fetch(server.url + address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    const script = await response.text();
    sizes.set(address, gzipSync(script).length);
    // `import("…")` is loaded later, if at all.
    for (const [, name = ""] of script.matchAll(/(?:from|import)\s*"(\.\.?\/[^"]+\.js)"/g))
      pending.push(new URL(name, server.url + address).pathname);
  }
  if (sizes.size === 0) throw new Error("The page names no script.");
  const kilobytes = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000;
  return [
    {
      what: `JavaScript of a guest's blog page (${sizes.size} files, gzip)`,
      ours: `${kilobytes.toFixed(1)} kB`,
      bare: "",
      value: kilobytes,
      unit: "kB",
      target: { atMost: 130 },
    },
  ];
}
