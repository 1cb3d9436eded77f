import { expect, test } from "vitest";
import { storeBlockHashes, textChange } from "../../../../src/server/blogs/text-changes.ts";
import { limits } from "../../../../src/shared/limits.ts";

const line = (words: string) => `<p>${words}</p>`;
const dressed = (html: string) => html.replaceAll("<p>", '<p dir="auto">');

/** Renders as pages do, and records each call. */
const drawing = () => {
  const asked: string[] = [];
  const draw = async (html: string) => {
    asked.push(html);
    return dressed(html);
  };
  return { asked, draw };
};

test("renders a change once, and a text of which no blocks are known once", async () => {
  const before = line("Owls.") + line("Crows.");
  const after = line("Owls.") + line("Crows, anew.");
  const { asked, draw } = drawing();
  expect(await textChange(storeBlockHashes(before), after, draw)).toMatchObject({
    blocks: [[0, 1], dressed(line("Crows, anew."))],
  });
  expect(await textChange(undefined, after, draw)).toMatchObject({ from: null, blocks: [dressed(after)] });
  expect(asked).toEqual([line("Crows, anew."), after]);
});

test("returns null for a text too long for an event, without rendering it twice to find that out", async () => {
  const { asked, draw } = drawing();
  const before = storeBlockHashes(line("Owls."));
  const long = line("Owls call. ".repeat(limits.live.message / 10));
  expect(await textChange(before, long, draw)).toBeNull();
  expect(await textChange(undefined, long, draw)).toBeNull();
  expect(asked).toEqual([]);
  // It is too long only when rendered.
  const near = line("x").repeat(Math.floor(limits.live.message / 12));
  expect(await textChange(before, near, draw)).toBeNull();
  expect(await textChange(undefined, near, draw)).toBeNull();
  expect(asked).toHaveLength(2);
});
