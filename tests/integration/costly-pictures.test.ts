// @module-tag more
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { MediaStore } from "../../src/server/media/store.ts";
import { limits } from "../../src/shared/limits.ts";
import { animation, costlyPictures } from "../support/hostile-pictures.ts";
import { paint, send, upload } from "../support/pictures.ts";
import { password, startTown, until } from "../support/town.ts";

async function startStore(memory?: ConstructorParameters<typeof MediaStore>[1]) {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-pictures-"));
  const store = new MediaStore(path.join(folder, "media"), memory);
  let count = 0;
  const keep = async (bytes: Buffer, order: Parameters<MediaStore["store"]>[1]) => {
    const file = path.join(folder, String(count++));
    await writeFile(file, bytes);
    return store.store(file, order);
  };
  const end = async () => {
    store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { store, keep, [Symbol.asyncDispose]: end };
}

/** How many processes of ours work on pictures, or wait for one. */
function encoders(): number {
  const own = readdirSync("/proc/self/task").flatMap(
    (thread) => read(`self/task/${thread}/children`).match(/\d+/g) ?? [],
  );
  return own.filter((pid) => read(`${pid}/cmdline`).includes("encoder.ts")).length;
}

/** What the kernel says of a process; nothing where it has just ended. */
function read(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}

test("eight animations at once hold nobody else up", async () => {
  await using town = await startTown();
  const people = await Promise.all(["Ana", "Ben", "Eve", "Dan"].map(town.resident));
  const [ana] = people;
  const { src } = await upload(ana!, await paint());
  const bytes = await animation("webp", 120, 90, 60);
  let waits: Record<string, number[]> = {};
  let atMost = 0;
  let done = false;
  const time = async (what: string, ask: () => Promise<unknown>) => {
    const start = performance.now();
    await ask();
    (waits[what] ??= []).push(performance.now() - start);
  };
  const asOthersDo = async () => {
    await time("/healthz", async () => (await fetch(`${town.url}/healthz`)).text());
    await time("picture", async () => (await ana!.fetch(src)).arrayBuffer());
    await time("sign-in", () => ana!.api.users.signIn.mutate({ email: ana!.email, password }));
  };
  // What the machine takes for it by itself, whatever else it does.
  for (let round = 0; round < 10; round++) await asOthersDo();
  const usual = waits;
  waits = {};
  const answered = Promise.all(
    // The same bytes twice are the same picture: each is another one.
    Array.from({ length: 8 }, (_, at) => send(people[at % 4]!, Buffer.concat([bytes, Buffer.alloc(at)]))),
  ).finally(() => (done = true));
  while (!done) {
    await asOthersDo();
    atMost = Math.max(atMost, town.app.parts.media.atWork);
  }
  for (const { status } of await answered) expect(status).toBe(200);
  expect(atMost).toBe(2);
  // All but a few: the machine has other things to do as well.
  const mostly = (times: number[]) =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.9)] ?? 0;
  for (const [what, times] of Object.entries(waits))
    expect(mostly(times), what).toBeLessThan(200 + 3 * mostly(usual[what] ?? []));
});

test("what costs more than it may is refused by its first bytes, or ended", async () => {
  await using pictures = await startStore();
  const cost = async (what: string) =>
    pictures.keep(await costlyPictures[what]!(), { account: "ana" }).then(
      () => "taken",
      (error: { code?: string }) => error.code,
    );
  expect(await cost("a PNG of 400 megapixels")).toBe("too_large");
  expect(await cost("an interlaced PNG of 16 bits and 40 megapixels")).toBe("too_large");
  expect(await cost("a JPEG of thousands of scans")).toBe("bad_request");
  expect(await cost("a PNG with texts that unfold")).toBe("taken");
  expect(await cost("a PNG with a profile that unfolds")).toBe("taken");
  expect(pictures.store.atWork).toBe(0);
});

test("the time that pictures take weighs in the limit on uploads, whatever comes of them", async () => {
  await using town = await startTown({ RATE_LIMIT: "on" });
  const ana = await town.resident("Ana");
  const { media, limits: rates } = town.app.parts;
  const store = media.store.bind(media);
  let worked = 0;
  // The real work, of which it is told that it took longer.
  media.store = (bytes, order) =>
    store(bytes, {
      ...order,
      onWorked: (time) => {
        worked++;
        expect(time).toBeGreaterThan(0);
        order.onWorked?.(2 * limits.image.pointFor);
      },
    });
  await rates.take("upload", ana.me.id, 114);
  const broken = (await paint()).fill(0, 60);
  expect((await send(ana, broken)).ok).toBe(false);
  expect((await send(ana, await paint())).status).toBe(200);
  expect(worked).toBe(2);
  expect((await send(ana, await paint())).status).toBe(429);
});

test("a picture that needs more memory than there is beside another begins again, alone", async () => {
  await using pictures = await startStore({ shared: 1, alone: limits.image.memory.alone });
  const stored = await Promise.all(
    ["ana", "ben"].map(async (account) => pictures.keep(await paint(1_600, 1_200), { account })),
  );
  for (const { width } of stored) expect(width).toBe(1_600);
});

test("who is told that a picture takes too much is told when what it took is free", async () => {
  await until(() => encoders() === 0, "the end of all that was before");
  await using pictures = await startStore({ shared: 1, alone: 1 });
  await expect(pictures.keep(await paint(1_600, 1_200), { account: "ana" })).rejects.toMatchObject({
    code: "too_large",
  });
  expect(encoders()).toBe(0);
});

test("who sends many pictures waits behind who sends one", async () => {
  await using pictures = await startStore();
  const order: string[] = [];
  // Painted before: whoever sends one has it at hand.
  const painted = await Promise.all(Array.from({ length: 9 }, () => paint(900, 900)));
  const store = async (account: string) => {
    await pictures.keep(painted.pop()!, { account });
    order.push(account);
  };
  const ana = Array.from({ length: 8 }, () => store("ana"));
  const ben = until(() => pictures.store.atWork === 2).then(() => store("ben"));
  await Promise.all([...ana, ben]);
  expect(order.indexOf("ben")).toBeLessThan(6);
});

test("too many pictures at once are refused for a moment, one account's before everybody's", async () => {
  await using pictures = await startStore();
  const bytes = await paint();
  const sendAs = (account: string, count: number) =>
    Array.from({ length: count }, () =>
      pictures.keep(bytes, { account }).then(
        () => undefined,
        (error: unknown) => error as { code: string; retryAfter: number },
      ),
    );
  const { waitingOfOne } = limits.image;
  const refused = (await Promise.all([...sendAs("ana", waitingOfOne + 8), ...sendAs("ben", 1)])).filter(
    Boolean,
  );
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(8);
  expect(refused[0]).toMatchObject({ code: "unavailable", retryAfter: 10 });
  expect((await Promise.all(sendAs("ben", 1)))[0]).toBeUndefined();
});

test("a picture that nobody waits for any more is not worked on, and leaves nothing", async () => {
  await using pictures = await startStore();
  const slow = await animation("webp", 240, 160, 200);
  const gone = [new AbortController(), new AbortController(), new AbortController()];
  const stored = gone.map(({ signal }) => pictures.keep(slow, { account: "ana", signal }));
  const ends = Promise.allSettled(stored);
  await until(() => pictures.store.atWork === 2);
  for (const each of gone) each.abort(new Error("gone"));
  for (const end of await ends)
    expect(end).toMatchObject({ status: "rejected", reason: { message: "gone" } });
  expect(pictures.store.atWork).toBe(0);
  const left = await readdir(pictures.store.folder, { recursive: true });
  expect(left.filter((name) => name.length > 2)).toEqual([]);
  await pictures.keep(await paint(), { account: "ana" });
});

test("an upload that its page gave up is not worked on to its end", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(await animation("webp", 240, 160, 200))]), "long.webp");
  const leaving = new AbortController();
  const sent = ana
    .fetch("/upload", { method: "POST", body: form, signal: leaving.signal })
    .catch(() => "left");
  await until(() => town.app.parts.media.atWork === 1);
  leaving.abort();
  expect(await sent).toBe("left");
  await until(() => town.app.parts.media.atWork === 0);
  expect(town.rows("select id from media")).toEqual([]);
});

test("pictures are for nobody else on the machine", async () => {
  await using pictures = await startStore();
  const { id } = await pictures.keep(await paint(1_000, 600), { account: "ana" });
  const folder = pictures.store.folderOf(id);
  const mode = async (name: string) => ((await stat(name)).mode & 0o777).toString(8);
  for (const each of [pictures.store.folder, path.dirname(folder), folder])
    expect(await mode(each)).toBe("700");
  const files = await readdir(folder);
  expect(files.toSorted()).toEqual(["192.webp", "480.webp", "960.webp", "full.webp"]);
  for (const file of files) expect(await mode(path.join(folder, file))).toBe("600");
});
