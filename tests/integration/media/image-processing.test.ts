// @module-tag more
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { FolderStore } from "../../../src/server/files/folder-store.ts";
import { pictureKey } from "../../../src/server/media/paths.ts";
import { MediaStore } from "../../../src/server/media/store.ts";
import { limits } from "../../../src/shared/limits.ts";
import { animation, costlyPictures } from "../../support/hostile-pictures.ts";
import { paint, send, upload } from "../../support/pictures.ts";
import { password, startTestSite, until } from "../../support/test-site.ts";

async function startStore(memory?: ConstructorParameters<typeof MediaStore>[1]) {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-pictures-"));
  const store = new MediaStore(new FolderStore(folder), memory);
  let count = 0;
  const storeCopy = async (bytes: Buffer, order: Parameters<MediaStore["store"]>[1]) => {
    const file = path.join(folder, String(count++));
    await writeFile(file, bytes);
    return store.store(file, order);
  };
  const dispose = async () => {
    store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { store, folder: path.join(folder, "media"), storeCopy, [Symbol.asyncDispose]: dispose };
}

/** Counts the encoder processes, running or waiting. */
function countEncoders(): number {
  const childPids = readdirSync("/proc/self/task").flatMap(
    (thread) => readProc(`self/task/${thread}/children`).match(/\d+/g) ?? [],
  );
  return childPids.filter((pid) => readProc(`${pid}/cmdline`).includes("encoder.ts")).length;
}

/** Returns a file of /proc; "" where the process has ended. */
function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}

test("keeps other requests fast while eight animations are processed", async () => {
  await using testSite = await startTestSite();
  const people = await Promise.all(["Ana", "Ben", "Eve", "Dan"].map(testSite.createAccount));
  const [ana] = people;
  const { src } = await upload(ana!, await paint());
  const bytes = await animation("webp", 120, 90, 60);
  let durations: Record<string, number[]> = {};
  let maxRunning = 0;
  let isDone = false;
  const time = async (name: string, action: () => Promise<unknown>) => {
    const start = performance.now();
    await action();
    (durations[name] ??= []).push(performance.now() - start);
  };
  const measureOthers = async () => {
    await time("/healthz", async () => (await fetch(`${testSite.url}/healthz`)).text());
    await time("picture", async () => (await ana!.fetch(src)).arrayBuffer());
    await time("sign-in", () => ana!.api.users.signIn.mutate({ email: ana!.email, password }));
  };
  // The usual times on this machine, without load.
  for (let round = 0; round < 10; round++) await measureOthers();
  const usualDurations = durations;
  durations = {};
  const uploads = Promise.all(
    // Equal bytes would be one image.
    Array.from({ length: 8 }, (_, index) =>
      send(people[index % 4]!, Buffer.concat([bytes, Buffer.alloc(index)])),
    ),
  ).finally(() => (isDone = true));
  while (!isDone) {
    await measureOthers();
    maxRunning = Math.max(maxRunning, testSite.app.services.media.runningCount);
  }
  for (const { status } of await uploads) expect(status).toBe(200);
  expect(maxRunning).toBe(2);
  // The 90th percentile: the machine has other work, too.
  const percentile90 = (times: number[]) =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.9)] ?? 0;
  for (const [name, times] of Object.entries(durations))
    expect(percentile90(times), name).toBeLessThan(200 + 3 * percentile90(usualDurations[name] ?? []));
});

test("refuses an image that costs too much by its first bytes, or ends its processing", async () => {
  await using pictures = await startStore();
  const outcomeOf = async (name: string) =>
    pictures.storeCopy(await costlyPictures[name]!(), { account: "ana" }).then(
      () => "taken",
      (error: { code?: string }) => error.code,
    );
  expect(await outcomeOf("a PNG of 400 megapixels")).toBe("too_large");
  expect(await outcomeOf("an interlaced PNG of 16 bits and 40 megapixels")).toBe("too_large");
  expect(await outcomeOf("a JPEG of thousands of scans")).toBe("bad_request");
  expect(await outcomeOf("a PNG with texts that unfold")).toBe("taken");
  expect(await outcomeOf("a PNG with a profile that unfolds")).toBe("taken");
  expect(pictures.store.runningCount).toBe(0);
});

test("counts the processing time of images towards the upload limit, failed ones too", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on" });
  const ana = await testSite.createAccount("Ana");
  const { media, limits: rates } = testSite.app.services;
  const store = media.store.bind(media);
  let succeededCount = 0;
  // The real work, reported as longer than it took.
  media.store = (bytes, order) =>
    store(bytes, {
      ...order,
      onWorked: (time) => {
        succeededCount++;
        expect(time).toBeGreaterThan(0);
        order.onWorked?.(2 * limits.image.pointFor);
      },
    });
  await rates.take("upload", ana.me.id, 114);
  const broken = (await paint()).fill(0, 60);
  expect((await send(ana, broken)).ok).toBe(false);
  expect((await send(ana, await paint())).status).toBe(200);
  expect(succeededCount).toBe(2);
  expect((await send(ana, await paint())).status).toBe(429);
});

test("processes an image that does not fit the shared memory again, alone", async () => {
  await using pictures = await startStore({ shared: 1, alone: limits.image.memory.alone });
  const stored = await Promise.all(
    ["ana", "ben"].map(async (account) => pictures.storeCopy(await paint(1_600, 1_200), { account })),
  );
  for (const { width } of stored) expect(width).toBe(1_600);
});

test("reports an image as too large only after its process has ended", async () => {
  await until(() => countEncoders() === 0, "the end of all that was before");
  await using pictures = await startStore({ shared: 1, alone: 1 });
  await expect(pictures.storeCopy(await paint(1_600, 1_200), { account: "ana" })).rejects.toMatchObject({
    code: "too_large",
  });
  expect(countEncoders()).toBe(0);
});

test("processes a single image before the rest of a long queue of another account", async () => {
  await using pictures = await startStore();
  const order: string[] = [];
  // Created beforehand, so that Ben sends at once.
  const pictureFiles = await Promise.all(Array.from({ length: 9 }, () => paint(900, 900)));
  const store = async (account: string) => {
    await pictures.storeCopy(pictureFiles.pop()!, { account });
    order.push(account);
  };
  const ana = Array.from({ length: 8 }, () => store("ana"));
  const ben = until(() => pictures.store.runningCount === 2).then(() => store("ben"));
  await Promise.all([...ana, ben]);
  expect(order.indexOf("ben")).toBeLessThan(6);
});

test("refuses images when too many wait, per account before for everyone", async () => {
  await using pictures = await startStore();
  const bytes = await paint();
  const sendAs = (account: string, count: number) =>
    Array.from({ length: count }, () =>
      pictures.storeCopy(bytes, { account }).then(
        () => undefined,
        (error: unknown) => error as { code: string; retryAfter: number },
      ),
    );
  const { waitingOfOne } = limits.image;
  const refusals = (await Promise.all([...sendAs("ana", waitingOfOne + 8), ...sendAs("ben", 1)])).filter(
    Boolean,
  );
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals.length).toBeLessThanOrEqual(8);
  expect(refusals[0]).toMatchObject({ code: "unavailable", retryAfter: 10 });
  expect((await Promise.all(sendAs("ben", 1)))[0]).toBeUndefined();
});

test("stops processing an aborted image, and leaves no file", async () => {
  await using pictures = await startStore();
  const slowImage = await animation("webp", 240, 160, 200);
  const controllers = [new AbortController(), new AbortController(), new AbortController()];
  const stored = controllers.map(({ signal }) => pictures.storeCopy(slowImage, { account: "ana", signal }));
  const settling = Promise.allSettled(stored);
  await until(() => pictures.store.runningCount === 2);
  for (const controller of controllers) controller.abort(new Error("gone"));
  for (const outcome of await settling)
    expect(outcome).toMatchObject({ status: "rejected", reason: { message: "gone" } });
  expect(pictures.store.runningCount).toBe(0);
  const remaining = await readdir(pictures.folder, { recursive: true });
  expect(remaining.filter((name) => name.length > 2)).toEqual([]);
  await pictures.storeCopy(await paint(), { account: "ana" });
});

test("stops processing an upload whose request is aborted", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(await animation("webp", 240, 160, 200))]), "long.webp");
  const abort = new AbortController();
  const sent = ana.fetch("/upload", { method: "POST", body: form, signal: abort.signal }).catch(() => "left");
  await until(() => testSite.app.services.media.runningCount === 1);
  abort.abort();
  expect(await sent).toBe("left");
  await until(() => testSite.app.services.media.runningCount === 0);
  expect(testSite.rows("select id from media")).toEqual([]);
});

test("stores images in files and folders that only their owner can read", async () => {
  await using pictures = await startStore();
  const { id } = await pictures.storeCopy(await paint(1_000, 600), { account: "ana" });
  const folder = path.join(pictures.folder, "..", pictureKey(id));
  const mode = async (name: string) => ((await stat(name)).mode & 0o777).toString(8);
  for (const directory of [pictures.folder, path.dirname(folder), folder])
    expect(await mode(directory)).toBe("700");
  const files = await readdir(folder);
  expect(files.toSorted()).toEqual(["192.webp", "480.webp", "960.webp", "full.webp"]);
  for (const file of files) expect(await mode(path.join(folder, file))).toBe("600");
});
