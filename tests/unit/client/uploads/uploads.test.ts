import { expect, test } from "vitest";
import { refusal } from "../../../../src/client/uploads/files.ts";
import { Sending, progressText } from "../../../../src/client/uploads/sending.ts";
import type { UnderWay } from "../../../../src/client/uploads/sending.ts";
import { UploadError, readAnswer } from "../../../../src/client/uploads/upload.ts";
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

/** A picture on its way over a line that the test has in its hands, and what is told of it. */
function sent() {
  const shown: Omit<UnderWay, "preview">[] = [];
  const arrived: Picture[] = [];
  const tries: {
    arrive: () => void;
    fail: (reason: UploadFailure) => void;
    tell: (percent: number) => void;
  }[] = [];
  let cancelled = 0;
  const sending = new Sending(
    new File(["png"], "owl.png", { type: "image/png" }),
    "text",
    {
      changed: ({ percent, failed, again }) => shown.push({ percent, failed, again }),
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

test("a picture is told of as far as it is sent, and once it has arrived", async () => {
  const { sending, shown, arrived, line } = sent();
  const { tell, arrive } = await line(1);
  tell(40);
  tell(100);
  arrive();
  expect(await sending.arrival).toEqual(picture);
  expect(shown.map(({ percent }) => progressText(percent))).toEqual(["40 %", "Almost there…"]);
  expect(arrived).toEqual([picture]);
});

test("one that got lost is sent again from its beginning when it is asked for", async () => {
  const { sending, shown, arrived, line } = sent();
  const first = await line(1);
  first.tell(70);
  first.fail("lost");
  await expect(sending.arrival).rejects.toMatchObject({ reason: "lost" });
  expect(shown.at(-1)).toEqual({ percent: 70, failed: "It is lost.", again: true });
  sending.again();
  expect(shown.at(-1)).toEqual({ percent: 0, failed: null, again: false });
  // While it is sent there is nothing to try again.
  sending.again();
  (await line(2)).arrive();
  expect(await sending.arrival).toEqual(picture);
  expect(arrived).toHaveLength(1);
});

test.each([
  ["refused", false],
  ["signed-out", true],
  ["lost", true],
] as const)("whether another try may help one that is %s: %s", async (reason, again) => {
  const { sending, line } = sent();
  (await line(1)).fail(reason);
  await expect(sending.arrival).rejects.toMatchObject({ reason });
  expect(sending.shown).toMatchObject({ failed: `It is ${reason}.`, again });
});

test("nothing more is heard of one that was given up", async () => {
  const { sending, shown, arrived, line, cancelled } = sent();
  const { tell, arrive } = await line(1);
  sending.end();
  tell(50);
  arrive();
  sending.again();
  await sending.arrival;
  expect([shown, arrived, cancelled()]).toEqual([[], [], 1]);
});

test("one that is given up before it was sent is not sent", async () => {
  const { sending, arrived, cancelled } = sent();
  sending.end();
  await expect(sending.arrival).rejects.toMatchObject({ reason: "cancelled" });
  expect([arrived, cancelled()]).toEqual([[], 0]);
});

test("what can't be read as a picture is refused, not tried again", async () => {
  const broken = new Blob(["no bitmap"], { type: "image/bmp" });
  const sending = new Sending(broken, "text", { changed: () => undefined, arrived: () => undefined });
  await expect(sending.arrival).rejects.toMatchObject({ reason: "refused" });
  expect(sending.shown).toMatchObject({
    failed: "That picture could not be read here. Save it as JPEG or PNG, and try again.",
    again: false,
  });
});

const refused = (status: number, body: string) => {
  const answer = readAnswer(status, body);
  return answer instanceof UploadError ? [answer.reason, answer.message] : answer;
};

test("answers are read for what they mean to the writer", () => {
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

test("what is no answer of ours is a lost connection", () => {
  expect(refused(200, "<html>Log in to the hotel</html>")).toEqual(["lost", messages.connection]);
  expect(refused(502, "Bad gateway")).toEqual(["lost", messages.connection]);
  expect(refused(200, '{"ok":true}')).toEqual(["lost", messages.connection]);
});

test("wrong files are refused before they are sent", () => {
  const size = 8 * 1024 * 1024;
  expect(refusal({ type: "image/png", size }, "cover")).toBe(null);
  // It is made smaller first; what moves would stand still then.
  expect(refusal({ type: "image/png", size: size + 1 }, "cover")).toBe(null);
  expect(refusal({ type: "image/png", size: 13 * size }, "cover")).toMatch(/up to 100 MB/);
  expect(refusal({ type: "image/gif", size: size + 1 }, "text")).toMatch(/up to 8 MB/);
  expect(refusal({ type: "image/gif", size: 5 }, "cover")).toMatch(/Choose a \.png, \.jpg or \.jpeg/);
  expect(refusal({ type: "image/gif", size: 5 }, "profile")).toBe(null);
  expect(refusal({ type: "image/bmp", size: 5 }, "profile")).toMatch(/Choose a PNG, JPEG, GIF, WebP or AVIF/);
  expect(refusal({ type: "image/bmp", size: 5 }, "text")).toBe(null);
  expect(refusal({ type: "image/png", size: 0 }, "text")).toMatch(/empty/);
});
