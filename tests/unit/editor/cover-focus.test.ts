import { expect, test } from "vitest";
import { focusAt, focusByKey } from "../../../src/client/blogs/form/focus-rules.ts";
import {
  emptyFields,
  newFields,
  sameFields,
  shownAs,
  writtenOf,
} from "../../../src/client/blogs/form/values.ts";
import { withChange } from "../../../src/shared/writing.ts";

const focus = { x: 30, y: 20 };
const cover = { id: "owl", src: "/owl", srcset: "", width: 3, height: 2, color: "#000" };

test("a point stays on its picture, in whole percent, and its middle is none", () => {
  expect(focusAt(-20, 140)).toEqual({ x: 0, y: 100 });
  expect(focusAt(30.4, 19.6)).toEqual({ x: 30, y: 20 });
  expect(focusAt(50.2, 49.8)).toBeNull();
});

test("arrows move it, in large steps or small ones, to the edge and no further; other keys do not", () => {
  expect(focusByKey(focus, "ArrowLeft", false)).toEqual({ x: 25, y: 20 });
  expect(focusByKey(focus, "ArrowDown", true)).toEqual({ x: 30, y: 21 });
  expect(focusByKey({ x: 98, y: 3 }, "ArrowRight", false)).toEqual({ x: 100, y: 3 });
  expect(focusByKey({ x: 45, y: 50 }, "ArrowRight", false)).toBeNull();
  expect(focusByKey(focus, "Enter", false)).toBeUndefined();
  expect(focusByKey(focus, "toString", false)).toBeUndefined();
});

test("the form shows the cover with its point, and a new point alone names no cover", () => {
  const shown = shownAs({ ...newFields(), coverId: "owl", coverFocus: focus }, cover, emptyFields());
  expect(shown.cover).toEqual({ ...cover, focus });
  expect(sameFields(shown, { ...shown, cover })).toBe(false);
  expect(writtenOf({ cover: { ...cover, focus } }, "owl")).toEqual({ coverFocus: focus });
  expect(writtenOf({ cover }, "moon")).toEqual({ coverId: "owl", coverFocus: null });
  expect(writtenOf({ cover: null }, "owl")).toEqual({ coverId: null, coverFocus: null });
  expect(writtenOf({ title: "Owls" }, "owl")).toEqual({ title: "Owls" });
});

test("another cover begins at its middle, the same one stays as it lies", () => {
  const stands = { ...newFields(), coverId: "owl", coverFocus: focus };
  expect(withChange(stands, { title: "Owls", coverId: "owl" }).coverFocus).toEqual(focus);
  expect(withChange(stands, { coverId: "moon" }).coverFocus).toBeNull();
  expect(withChange(stands, { coverId: "moon", coverFocus: { x: 1, y: 2 } }).coverFocus).toEqual({
    x: 1,
    y: 2,
  });
});
