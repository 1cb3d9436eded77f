import { expect, test } from "vitest";
import { refusalReason } from "../../../../src/client/uploads/files.ts";
import { PictureUpload, progressText } from "../../../../src/client/uploads/picture-upload.ts";
import type { UploadState } from "../../../../src/client/uploads/picture-upload.ts";
import { UploadError, readResponse } from "../../../../src/client/uploads/upload.ts";
import type { UploadFailure } from "../../../../src/client/uploads/upload.ts";
import type { Picture } from "../../../../src/shared/blogs.ts";
import { messages } from "../../../../src/shared/errors.ts";

const picture: Picture = {
  id: "one",
  src: "/media/one/full.webp",
  srcset: "",
  width: 40,
  height: 30,
  color: "#777777",
};

/** An upload whose requests the test controls, and what it reports. */
function sent() {
  const shown: Omit<UploadState, "preview">[] = [];
  const arrived: Picture[] = [];
  const tries: {
    arrive: () => void;
    fail: (reason: UploadFailure) => void;
    tell: (percent: number) => void;
  }[] = [];
  let cancelled = 0;
  const sending = new PictureUpload(
    new File(["png"], "owl.png", { type: "image/png" }),
    "text",
    {
      changed: ({ percent, failed, canRetry }) => shown.push({ percent, failed, canRetry }),
      arrived: (stored) => arrived.push(stored),
    },
    (_file, _name, _use, tell) => {
      const { promise, resolve, reject } = Promise.withResolvers<Picture>();
      tries.push({
        arrive: () => resolve(picture),
        fail: (reason) => reject(new UploadError(reason, `It is ${reason}.`)),
        tell,
      });
      return { done: promise, cancel: () => void cancelled++ };
    },
  );
  const line = async (number: number) => {
    await expect.poll(() => tries.length).toBe(number);
    return tries[number - 1]!;
  };
  return { sending, shown, arrived, line, cancelled: () => cancelled };
}

test("reports the progress of an upload, and its arrival once", async () => {
  const { sending, shown, arrived, line } = sent();
  const { tell, arrive } = await line(1);
  tell(40);
  tell(100);
  arrive();
  expect(await sending.arrival).toEqual(picture);
  expect(shown.map(({ percent }) => progressText(percent))).toEqual(["40 %", "Almost there…"]);
  expect(arrived).toEqual([picture]);
});

test("sends a lost upload again from its beginning on request", async () => {
  const { sending, shown, arrived, line } = sent();
  const first = await line(1);
  first.tell(70);
  first.fail("lost");
  await expect(sending.arrival).rejects.toMatchObject({ reason: "lost" });
  expect(shown.at(-1)).toEqual({ percent: 70, failed: "It is lost.", canRetry: true });
  sending.tryAgain();
  expect(shown.at(-1)).toEqual({ percent: 0, failed: null, canRetry: false });
  // It is being sent: there is nothing to retry.
  sending.tryAgain();
  (await line(2)).arrive();
  expect(await sending.arrival).toEqual(picture);
  expect(arrived).toHaveLength(1);
});

test.each([
  ["refused", false],
  ["signed-out", true],
  ["lost", true],
] as const)("says whether a retry may help an upload that is %s: %s", async (reason, canRetry) => {
  const { sending, line } = sent();
  (await line(1)).fail(reason);
  await expect(sending.arrival).rejects.toMatchObject({ reason });
  expect(sending.shown).toMatchObject({ failed: `It is ${reason}.`, canRetry });
});

test("reports nothing more of an upload that was cancelled", async () => {
  const { sending, shown, arrived, line, cancelled } = sent();
  const { tell, arrive } = await line(1);
  sending.endUpload();
  tell(50);
  arrive();
  sending.tryAgain();
  await sending.arrival;
  expect([shown, arrived, cancelled()]).toEqual([[], [], 1]);
});

test("does not send an upload that was cancelled before", async () => {
  const { sending, arrived, cancelled } = sent();
  sending.endUpload();
  await expect(sending.arrival).rejects.toMatchObject({ reason: "cancelled" });
  expect([arrived, cancelled()]).toEqual([[], 0]);
});

test("refuses a file that cannot be read as a picture, without a retry", async () => {
  const broken = new Blob(["no bitmap"], { type: "image/bmp" });
  const sending = new PictureUpload(broken, "text", { changed: () => undefined, arrived: () => undefined });
  await expect(sending.arrival).rejects.toMatchObject({ reason: "refused" });
  expect(sending.shown).toMatchObject({
    failed: "That picture could not be read here. Save it as JPEG or PNG, and try again.",
    canRetry: false,
  });
});

const refused = (status: number, body: string) => {
  const answer = readResponse(status, body);
  return answer instanceof UploadError ? [answer.reason, answer.message] : answer;
};

test("reads the server's responses as refused, signed out or lost", () => {
  expect(refused(200, JSON.stringify(picture))).toEqual(picture);
  expect(refused(413, '{"success":false,"message":"That picture is too large."}')).toEqual([
    "refused",
    "That picture is too large.",
  ]);
  expect(refused(401, '{"success":false,"message":"Please sign in."}')).toEqual([
    "signed-out",
    "Please sign in.",
  ]);
  expect(refused(429, '{"success":false,"message":"Too often."}')).toEqual(["lost", "Too often."]);
  expect(refused(503, '{"success":false,"message":"Going down."}')).toEqual(["lost", "Going down."]);
});

test("reads a response that is not the site's as a lost connection", () => {
  expect(refused(200, "<html>Log in to the hotel</html>")).toEqual(["lost", messages.connection]);
  expect(refused(502, "Bad gateway")).toEqual(["lost", messages.connection]);
  expect(refused(200, '{"ok":true}')).toEqual(["lost", messages.connection]);
});

test("refuses wrong files before they are sent", () => {
  const size = 8 * 1024 * 1024;
  expect(refusalReason({ type: "image/png", size }, "cover")).toBe(null);
  // It is made smaller first; an animation would be lost by that.
  expect(refusalReason({ type: "image/png", size: size + 1 }, "cover")).toBe(null);
  expect(refusalReason({ type: "image/png", size: 13 * size }, "cover")).toMatch(/up to 100 MB/);
  expect(refusalReason({ type: "image/gif", size: size + 1 }, "text")).toMatch(/up to 8 MB/);
  expect(refusalReason({ type: "image/gif", size: 5 }, "cover")).toMatch(/Choose a \.png, \.jpg or \.jpeg/);
  expect(refusalReason({ type: "image/gif", size: 5 }, "profile")).toBe(null);
  expect(refusalReason({ type: "image/bmp", size: 5 }, "profile")).toMatch(
    /Choose a PNG, JPEG, GIF, WebP or AVIF/,
  );
  expect(refusalReason({ type: "image/bmp", size: 5 }, "text")).toBe(null);
  expect(refusalReason({ type: "image/png", size: 0 }, "text")).toMatch(/empty/);
});
