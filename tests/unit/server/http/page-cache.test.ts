import { expect, test } from "vitest";
import { Bus } from "../../../../src/server/live/bus.ts";
import { PageCache, type RenderedPage } from "../../../../src/server/http/page-cache.ts";
import { encodingOf } from "../../../../src/server/http/compression.ts";

/** A cache over an event log at `seq`. */
function aCache() {
  const bus = new Bus();
  const site = { seq: 0, bus, cache: new PageCache(bus) };
  const make = (render: () => RenderedPage | Promise<RenderedPage>) =>
    site.cache.make(
      "/home",
      async () => String(site.seq),
      async () => render(),
      (draft) => draft,
    );
  return Object.assign(site, { make });
}

const draft = (text: string, topics: string[] | null = ["feed"]): RenderedPage => ({
  bytes: Buffer.from(text),
  topics,
});

test("caches a page until its topic is signalled", async () => {
  const { bus, cache, make } = aCache();
  await make(() => draft("one"));
  expect(cache.get("/home")?.bytes("identity")).toEqual(Buffer.from("one"));
  bus.signal(["blog:other"]);
  expect(cache.get("/home")?.bytes("identity")).toEqual(Buffer.from("one"));
  bus.signal(["feed"]);
  expect(cache.get("/home")).toBeUndefined();
  expect(bus.listeners).toBe(0);
});

test("drops a page that names its topics on signals of rights and names, too", async () => {
  for (const topic of ["blog:1", "rights:1", "people"]) {
    const { bus, cache, make } = aCache();
    await make(() => draft("one", ["blog:1"]));
    bus.signal([topic]);
    expect(cache.get("/home")).toBeUndefined();
  }
});

test("does not cache a page when something changed while it was rendered", async () => {
  const site = aCache();
  await site.make(() => {
    site.seq++;
    return draft("old");
  });
  expect(site.cache.get("/home")).toBeUndefined();
  await site.make(() => {
    site.bus.signal(["people"]);
    return draft("old");
  });
  expect(site.cache.get("/home")).toBeUndefined();
  expect(site.bus.listeners).toBe(0);
});

test("does not cache a page without topics", async () => {
  const { cache, make } = aCache();
  await make(() => draft("mine", null));
  expect(cache.get("/home")).toBeUndefined();
});

test("shares one rendering between concurrent requests", async () => {
  const { make } = aCache();
  let renderCount = 0;
  const render = () => {
    renderCount++;
    return draft("one");
  };
  await Promise.all([make(render), make(render), make(render)]);
  expect(renderCount).toBe(1);
});

test.each([
  [undefined, "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0", "gzip"],
  ["identity", "identity"],
])("answers %s with the encoding %s", (accepted, encoding) => {
  expect(encodingOf(accepted)).toBe(encoding);
});
