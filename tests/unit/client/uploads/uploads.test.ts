import { expect, test } from "vitest";
import { acceptAttribute, refusalReason, scaleToFit } from "../../../../src/client/uploads/files.ts";
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
function anUpload() {
  const states: Omit<UploadState, "preview">[] = [];
  const arrivals: Picture[] = [];
  const attempts: {
    succeed: () => void;
    fail: (reason: UploadFailure) => void;
    reportProgress: (percent: number) => void;
  }[] = [];
  let cancelled = 0;
  const upload = new PictureUpload(
    new File(["png"], "owl.png", { type: "image/png" }),
    "text",
    {
      changed: ({ percent, failed, canRetry }) => states.push({ percent, failed, canRetry }),
      arrived: (stored) => arrivals.push(stored),
    },
    (_file, _name, _use, reportProgress) => {
      const { promise, resolve, reject } = Promise.withResolvers<Picture>();
      attempts.push({
        succeed: () => resolve(picture),
        fail: (reason) => reject(new UploadError(reason, `It is ${reason}.`)),
        reportProgress,
      });
      return { done: promise, cancel: () => void cancelled++ };
    },
    (file) => Promise.resolve(file),
  );
  const nthAttempt = async (number: number) => {
    await expect.poll(() => attempts.length).toBe(number);
    return attempts[number - 1]!;
  };
  return {
    upload,
    states,
    arrivals,
    nthAttempt,
    isSent: () => attempts.length > 0,
    cancelled: () => cancelled,
  };
}

test("reports the progress of an upload, and its arrival once", async () => {
  const { upload, states, arrivals, nthAttempt } = anUpload();
  const { reportProgress, succeed } = await nthAttempt(1);
  reportProgress(40);
  reportProgress(100);
  succeed();
  expect(await upload.arrival).toEqual(picture);
  expect(states.map(({ percent }) => progressText(percent))).toEqual(["0 %", "40 %", "Almost there…"]);
  expect(arrivals).toEqual([picture]);
});

test("sends a lost upload again from its beginning on request", async () => {
  const { upload, states, arrivals, nthAttempt } = anUpload();
  const first = await nthAttempt(1);
  first.reportProgress(70);
  first.fail("lost");
  await expect(upload.arrival).rejects.toMatchObject({ reason: "lost" });
  expect(states.at(-1)).toEqual({ percent: 70, failed: "It is lost.", canRetry: true });
  upload.tryAgain();
  expect(states.at(-1)).toEqual({ percent: 0, failed: null, canRetry: false });
  // It is being sent: there is nothing to retry.
  upload.tryAgain();
  (await nthAttempt(2)).succeed();
  expect(await upload.arrival).toEqual(picture);
  expect(arrivals).toHaveLength(1);
});

test.each([
  ["refused", false],
  ["signed-out", true],
  ["lost", true],
] as const)("says whether a retry may help an upload that is %s: %s", async (reason, canRetry) => {
  const { upload, nthAttempt } = anUpload();
  (await nthAttempt(1)).fail(reason);
  await expect(upload.arrival).rejects.toMatchObject({ reason });
  expect(upload.shown).toMatchObject({ failed: `It is ${reason}.`, canRetry });
});

test("reports nothing more of an upload that was cancelled", async () => {
  const { upload, states, arrivals, nthAttempt, cancelled } = anUpload();
  const { reportProgress, succeed } = await nthAttempt(1);
  const before = [...states];
  upload.endUpload();
  reportProgress(50);
  succeed();
  upload.tryAgain();
  await upload.arrival;
  expect([states, arrivals, cancelled()]).toEqual([before, [], 1]);
});

test("does not send an upload that was cancelled before", async () => {
  const { upload, arrivals, cancelled } = anUpload();
  upload.endUpload();
  await expect(upload.arrival).rejects.toMatchObject({ reason: "cancelled" });
  expect([arrivals, cancelled()]).toEqual([[], 0]);
});

test("sends four pictures at once, the others in order, and none that was cancelled while it waited", async () => {
  const uploads = Array.from({ length: 7 }, () => anUpload());
  const areSent = () => uploads.map(({ isSent }) => isSent());
  const succeed = async (number: number) => (await uploads[number]!.nthAttempt(1)).succeed();
  await expect.poll(areSent).toEqual([true, true, true, true, false, false, false]);
  uploads[4]!.upload.endUpload();
  await succeed(2);
  await expect.poll(areSent).toEqual([true, true, true, true, false, true, false]);
  for (const number of [0, 1, 3, 5, 6]) await succeed(number);
  await expect.poll(() => uploads.map(({ arrivals }) => arrivals.length)).toEqual([1, 1, 1, 1, 0, 1, 1]);
});

test("refuses a file that cannot be read as a picture, without a retry", async () => {
  for (const [name, type, failed] of [
    [
      "a.bmp",
      "image/bmp",
      "This browser can’t read that picture. Save it as a smaller JPEG or PNG, and try again.",
    ],
    ["IMG_1.HEIC", "", "This browser can’t read HEIC pictures. Save it as JPEG, or add it in Safari."],
  ] as const) {
    const broken = new File(["no bitmap"], name, { type });
    const upload = new PictureUpload(broken, "text", { changed: () => undefined, arrived: () => undefined });
    await expect(upload.arrival).rejects.toMatchObject({ reason: "refused" });
    expect(upload.shown).toMatchObject({ failed, canRetry: false });
  }
});

const resultOf = (status: number, body: string) => {
  const result = readResponse(status, body);
  return result instanceof UploadError ? [result.reason, result.message] : result;
};

test("reads the server's responses as refused, signed out or lost", () => {
  expect(resultOf(200, JSON.stringify(picture))).toEqual(picture);
  expect(resultOf(413, '{"success":false,"message":"That picture is too large."}')).toEqual([
    "refused",
    "That picture is too large.",
  ]);
  expect(resultOf(401, '{"success":false,"message":"Please sign in."}')).toEqual([
    "signed-out",
    "Please sign in.",
  ]);
  expect(resultOf(429, '{"success":false,"message":"Too often."}')).toEqual(["lost", "Too often."]);
  expect(resultOf(503, '{"success":false,"message":"Going down."}')).toEqual(["lost", "Going down."]);
});

test("reads a response that is not the site's as a lost connection", () => {
  expect(resultOf(200, "<html>Log in to the hotel</html>")).toEqual(["lost", messages.connection]);
  expect(resultOf(502, "Bad gateway")).toEqual(["lost", messages.connection]);
  expect(resultOf(200, '{"ok":true}')).toEqual(["lost", messages.connection]);
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
    /Choose a PNG, JPEG, GIF, WebP, AVIF or HEIC/,
  );
  expect(refusalReason({ type: "image/bmp", size: 5 }, "text")).toBe(null);
  expect(refusalReason({ type: "image/png", size: 0 }, "text")).toMatch(/empty/);
});

test("offers and accepts HEIC everywhere, also by its name where the system knows no type", () => {
  for (const use of ["cover", "profile", "text"] as const) {
    expect(acceptAttribute(use).split(",")).toEqual(expect.arrayContaining(["image/heic", ".heic", ".heif"]));
    expect(refusalReason({ type: "", name: "IMG_1.HEIC", size: 5 }, use)).toBe(null);
    expect(refusalReason({ type: "image/heif", name: "a.heif", size: 5 }, use)).toBe(null);
  }
  expect(refusalReason({ type: "", name: "notes", size: 5 }, "text")).toMatch(/SVG, HEIC or BMP/);
  expect(acceptAttribute("text")).toContain("image/svg+xml");
});

test("scales a wide picture to 2,400 pixels, and keeps a long screenshot readable", () => {
  const scaled = (width: number, height: number) => {
    const scale = Math.min(1, scaleToFit(width, height));
    return [Math.round(width * scale), Math.round(height * scale)];
  };
  expect(scaled(9000, 6000)).toEqual([2400, 1600]);
  expect(scaled(20_000, 20_000)).toEqual([2400, 2400]);
  expect(scaled(1200, 9000)).toEqual([1200, 9000]);
  expect(scaled(1200, 20_000)).toEqual([849, 14142]);
  expect(scaled(1200, 60_000)).toEqual([328, 16383]);
});
