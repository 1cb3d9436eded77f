import { expect, test } from "vitest";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { aBlog, paragraphs, startTestSite } from "../../support/test-site.ts";

test("counts a long answer and the time of a call, so that a guest cannot ask for them without end", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const texts = Array.from(
    { length: 3_000 },
    (_, index) => `Owl ${index} calls, and another answers from the wood.`,
  );
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs(...texts) }));
  const { limits } = testSite.app.services;
  const guest = testSite.browser().api;
  const readOften = async (input: { slug: string; has?: string }) => {
    await limits.reset("read", "127.0.0.1");
    await limits.take("read", "127.0.0.1", 2_700);
    let calls = 0;
    while (calls < 300 && (await guest.blogs.bySlug.query(input).catch(() => null))) calls++;
    return calls;
  };
  // Of over 200,000 characters; 300 points of 20,000 each are left.
  expect(await readOften({ slug })).toBeLessThan(40);
  expect(await readOften({ slug, has: "unknown" })).toBeLessThan(40);
  await limits.reset("read", "127.0.0.1");
  const compute = async () => {
    for (const begun = process.threadCpuUsage(); process.threadCpuUsage(begun).user < 100_000;) continue;
    return "done";
  };
  expect(await limits.chargeTime("127.0.0.1", compute)).toBe("done");
  // Some twenty points were counted.
  await expect(limits.take("read", "127.0.0.1", 2_990)).rejects.toMatchObject({ code: "too_many" });
});

test("counts every call of a batch towards the rate limit, and refuses costly calls after the fifth", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const batch = (paths: string[], input: object = {}) => {
    const inputs = JSON.stringify(Object.fromEntries(paths.map((_, index) => [index, input])));
    return fetch(`${testSite.url}/trpc/${paths.join(",")}?batch=1&input=${encodeURIComponent(inputs)}`);
  };
  const times = <T>(count: number, ...paths: T[]) => Array.from({ length: count }, () => paths).flat();
  const refusedOf = async (answer: Response) =>
    ((await answer.json()) as { error?: { message: string } }[]).filter(({ error }) =>
      error?.message.includes("Too much for one request"),
    ).length;
  for (const [path, input] of [
    ["blogs.search", { query: "owl" }],
    ["users.search", { query: "owl" }],
    ["comments.list", { blogId: crypto.randomUUID() }],
    ["blogs.recommended", {}],
  ] as const) {
    expect([path, await refusedOf(await batch(times(8, path), input))]).toEqual([path, 3]);
    expect([path, await refusedOf(await batch(times(5, path), input))]).toEqual([path, 0]);
  }
  expect(await refusedOf(await batch(times(3, "blogs.search", "users.search"), { query: "x" }))).toBe(1);
  expect((await batch(times(20, "users.me"))).status).toBe(200);
  // Five searches cost 25 of the calls per minute.
  let calls = 0;
  while ((await batch(times(5, "blogs.search"), { query: "x" })).status === 200) calls += 5;
  expect(calls).toBeLessThan(600);
  await expectRefusal(testSite.browser().api.users.me.query(), "TOO_MANY_REQUESTS");
});
