import { expect, test } from "vitest";
import {
  changeFrom,
  renderChange,
  storeBlockHashes,
  textChange,
} from "../../../../src/server/text/changes.ts";
import { limits } from "../../../../src/shared/limits.ts";

const line = (words: string) => `<p>${words}</p>`;
const withDirection = (html: string) => html.replaceAll("<p>", '<p dir="auto">');

/** Renders as pages do, and records each call. */
const recordingRenderer = () => {
  const renderedTexts: string[] = [];
  const render = async (html: string) => {
    renderedTexts.push(html);
    return withDirection(html);
  };
  return { renderedTexts, render };
};

test("renders a change once, and a text of which no blocks are known once", async () => {
  const before = line("Owls.") + line("Crows.");
  const after = line("Owls.") + line("Crows, anew.");
  const { renderedTexts, render } = recordingRenderer();
  expect(await textChange(storeBlockHashes(before), after, render)).toMatchObject({
    blocks: [[0, 1], withDirection(line("Crows, anew."))],
  });
  expect(await textChange(undefined, after, render)).toMatchObject({
    from: null,
    blocks: [withDirection(after)],
  });
  expect(renderedTexts).toEqual([line("Crows, anew."), after]);
});

test("compares and renders two texts once for all who ask for the change", async () => {
  const from = storeBlockHashes(line("Owls.") + line("Bats."));
  const after = line("Owls.") + line("Bats, anew.");
  const { renderedTexts, render } = recordingRenderer();
  const known = await Promise.all([changeFrom(from, after), changeFrom(from, after)]);
  expect(known[0]).toBe(known[1]);
  expect(await changeFrom(from, after)).toBe(known[0]);
  await Promise.all([renderChange(known[0]!, render), renderChange(known[1]!, render)]);
  expect(await textChange(from, after, render)).toMatchObject({
    blocks: [[0, 1], withDirection(line("Bats, anew."))],
  });
  expect(renderedTexts).toEqual([line("Bats, anew.")]);
});

test("returns null for a text too long for an event, without rendering it twice to find that out", async () => {
  const { renderedTexts, render } = recordingRenderer();
  const before = storeBlockHashes(line("Owls."));
  const longText = line("Owls call. ".repeat(limits.live.message / 10));
  expect(await textChange(before, longText, render)).toBeNull();
  expect(await textChange(undefined, longText, render)).toBeNull();
  expect(renderedTexts).toEqual([]);
  // It is too long only when rendered.
  const nearLimit = line("x").repeat(Math.floor(limits.live.message / 12));
  expect(await textChange(before, nearLimit, render)).toBeNull();
  expect(await textChange(undefined, nearLimit, render)).toBeNull();
  expect(renderedTexts).toHaveLength(2);
});
