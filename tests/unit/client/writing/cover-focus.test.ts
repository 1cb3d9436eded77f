import { expect, test } from "vitest";
import { focusAt, focusByKey } from "../../../../src/client/writing/form/cover-point.ts";
import {
  emptyFields,
  sameFields,
  toFormFields,
  toDraftFields,
} from "../../../../src/client/writing/draft-fields.ts";
import { applyFieldChange, newDraftFields } from "../../../../src/shared/drafts.ts";

const focus = { x: 30, y: 20 };
const cover = { id: "owl", src: "/owl", srcset: "", width: 3, height: 2, color: "#000" };

test("keeps the focus within the picture, in whole percent, and stores the middle as null", () => {
  expect(focusAt(-20, 140)).toEqual({ x: 0, y: 100 });
  expect(focusAt(30.4, 19.6)).toEqual({ x: 30, y: 20 });
  expect(focusAt(50.2, 49.8)).toBeNull();
});

test("is moved by arrow keys in large or small steps, to the edge at most, and by no other key", () => {
  expect(focusByKey(focus, "ArrowLeft", false)).toEqual({ x: 25, y: 20 });
  expect(focusByKey(focus, "ArrowDown", true)).toEqual({ x: 30, y: 21 });
  expect(focusByKey({ x: 98, y: 3 }, "ArrowRight", false)).toEqual({ x: 100, y: 3 });
  expect(focusByKey({ x: 45, y: 50 }, "ArrowRight", false)).toBeNull();
  expect(focusByKey(focus, "Enter", false)).toBeUndefined();
  expect(focusByKey(focus, "toString", false)).toBeUndefined();
});

test("shows the cover with its focus, and saves a new focus without naming the cover", () => {
  const formFields = toFormFields(
    { ...newDraftFields(), coverId: "owl", coverFocus: focus },
    cover,
    emptyFields(),
  );
  expect(formFields.cover).toEqual({ ...cover, focus });
  expect(sameFields(formFields, { ...formFields, cover })).toBe(false);
  expect(toDraftFields({ cover: { ...cover, focus } }, "owl")).toEqual({ coverFocus: focus });
  expect(toDraftFields({ cover }, "moon")).toEqual({ coverId: "owl", coverFocus: null });
  expect(toDraftFields({ cover: null }, "owl")).toEqual({ coverId: null, coverFocus: null });
  expect(toDraftFields({ title: "Owls" }, "owl")).toEqual({ title: "Owls" });
});

test("resets the focus for another cover, and keeps it for the same one", () => {
  const fields = { ...newDraftFields(), coverId: "owl", coverFocus: focus };
  expect(applyFieldChange(fields, { title: "Owls", coverId: "owl" }).coverFocus).toEqual(focus);
  expect(applyFieldChange(fields, { coverId: "moon" }).coverFocus).toBeNull();
  expect(applyFieldChange(fields, { coverId: "moon", coverFocus: { x: 1, y: 2 } }).coverFocus).toEqual({
    x: 1,
    y: 2,
  });
});
