import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/server/runtime/config.ts";
import { password } from "../../support/browser.ts";
import { startTraceCollector } from "../../support/trace-collector.ts";
import { freePort, startServer } from "../../support/server.ts";
import { aBlog, aComment, startTestSite, until } from "../../support/test-site.ts";

/* OTLP traces sent to a collector on this machine. */

test("exports nested spans of requests, rendered pages, writes and jobs without personal data", async () => {
  await using collector = await startTraceCollector();
  const testSite = await startTestSite({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
  const ana = await testSite.signUpAndSignIn("Anabel Torresquilla");
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Quokkas of Rottnest" }));
  await ana.api.comments.create.mutate(aComment(blog, { text: "Zephyrs over heathland" }));
  await ana.fetch(`/blog/${blog.slug}?from=sesquipedalian`);
  await ana.fetch("/search?q=sesquipedalian");
  await ana.fetch("/trpc/sesquipedalian");
  await ana.fetch("/api/v1/signin", { method: "POST", body: "sesquipedalian" });
  await testSite.write(async (tx) => {
    tx.drizzle.run(
      `create trigger broken before insert on comments begin select raise(abort, 'sesquipedalian'); end`,
    );
  });
  await expect(ana.api.comments.create.mutate(aComment(blog))).rejects.toThrow("went wrong");
  const { username, id } = ana.me;
  const cookies = [ana.cookie, ana.known].map((cookie) => cookie.split("=")[1]!);
  // Closing sends the remaining spans.
  await testSite[Symbol.asyncDispose]();

  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  const partsOf = (span: { spanId: string; traceId: string }) =>
    collector.spans.filter(
      ({ parentSpanId, traceId }) => parentSpanId === span.spanId && traceId === span.traceId,
    );
  expect(collector.requests[0]).toMatchObject({
    url: "/v1/traces",
    headers: { "content-type": "application/json" },
  });
  expect(collector.resources[0]).toMatchObject({ "service.name": "reprise" });
  const [commented, refused] = named("POST /trpc/comments.create");
  expect(commented).toMatchObject({
    kind: 2,
    values: {
      "http.request.method": "POST",
      "http.route": "/trpc/comments.create",
      "http.response.status_code": 200,
    },
  });
  expect(commented!.parentSpanId ?? "").toBe("");
  expect(commented!.milliseconds).toBeGreaterThan(0);
  expect(commented!.milliseconds).toBeLessThan(10_000);
  const [write] = partsOf(commented!);
  expect(write).toMatchObject({ name: "write", kind: 1 });
  expect(write!.values["reprise.waited_ms"]).toBeGreaterThanOrEqual(0);
  expect(write!.milliseconds).toBeLessThanOrEqual(commented!.milliseconds + 1);
  expect(refused).toMatchObject({ status: { code: 2 }, values: { "http.response.status_code": 500 } });
  expect(partsOf(refused!)).toMatchObject([{ status: { code: 2 }, values: { "error.type": "SqliteError" } }]);
  const rendered = named("GET /*").flatMap((page) => partsOf(page));
  expect(rendered.filter(({ name }) => name === "draw").map(({ values }) => values["reprise.page"])).toEqual([
    "/blog/:slug",
    "/search",
  ]);
  // The span of a job is no child of the request that queued it.
  const [mail] = named("job mail");
  expect(mail!.parentSpanId ?? "").toBe("");
  expect(named("GET /trpc/…")[0]?.values).toMatchObject({ "http.response.status_code": 404 });

  const all = collector.bodies.join("\n").toLowerCase();
  const needles = [
    "sesquipedalian",
    "quokka",
    "heathland",
    "torresquilla",
    username,
    id,
    ana.email,
    password,
    blog.slug,
    "127.0.0.1",
    ...cookies,
  ];
  for (const needle of needles) expect([needle, all.includes(needle.toLowerCase())]).toEqual([needle, false]);
});

test(
  "delays nothing while the collector is absent or hangs, and logs that once",
  { tags: ["more"] },
  async () => {
    await using silentCollector = await startTraceCollector({ hangs: true });
    const folder = await mkdtemp(path.join(tmpdir(), "reprise-trace-"));
    for (const url of [`http://127.0.0.1:${await freePort()}`, silentCollector.url]) {
      let log = "";
      const server = await startServer(
        { DATA_DIR: folder, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: "500" },
        { onLog: (text) => (log += text) },
      );
      const collectorLines = () => log.split("\n").filter((line) => line.includes("the collector of traces"));
      await fetch(`${server.url}/api/v1/blogs`);
      await until(() => collectorLines().length === 1, "the word of it");
      expect((await fetch(`${server.url}/api/v1/blogs`)).status).toBe(200);
      const startedAt = performance.now();
      expect(await server.stop()).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(6_000);
      expect(collectorLines()).toHaveLength(1);
      expect(collectorLines()[0]).not.toContain(url.slice(7));
    }
    expect(silentCollector.requests.length).toBeGreaterThan(0);
    await rm(folder, { recursive: true, force: true });
  },
);

test("loads no tracing module without a collector", { tags: ["more"] }, async () => {
  const hookSource = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name.includes("opentelemetry") || name.includes("tracing-otlp")) console.log("LOADED " + name);
      return next(name, context); } });`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(hookSource)}`;
  await using collector = await startTraceCollector();
  const loadedWith = async (settings: Record<string, string>) => {
    const folder = await mkdtemp(path.join(tmpdir(), "reprise-trace-"));
    let log = "";
    const server = await startServer(
      { DATA_DIR: folder, NODE_OPTIONS, ...settings },
      { onLog: (text) => (log += text) },
    );
    await fetch(`${server.url}/api/v1/blogs`);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    return log.split("\n").filter((line) => line.startsWith("LOADED")).length;
  };
  expect(await loadedWith({})).toBe(0);
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toBeGreaterThan(10);
});

test("reads the collector's address by the standard, and names a wrong setting", () => {
  const tracing = (settings: Record<string, string>) => readConfig(settings).tracing;
  expect(tracing({})).toBeUndefined();
  expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" })).toEqual({
    url: "http://c:4318/v1/traces",
    ratio: 1,
  });
  expect(
    tracing({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://d/own",
      OTEL_TRACES_SAMPLER_ARG: "0.1",
    }),
  ).toEqual({ url: "https://d/own", ratio: 0.1 });
  expect(() => tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: "user:secret@c" })).toThrow(
    "The setting OTEL_EXPORTER_OTLP_ENDPOINT is wrong: must be an address that starts with http:// or https://.",
  );
  expect(() => tracing({ OTEL_TRACES_SAMPLER_ARG: "2" })).toThrow("OTEL_TRACES_SAMPLER_ARG");
});
