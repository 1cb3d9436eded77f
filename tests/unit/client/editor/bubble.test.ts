import { NodeSelection } from "prosemirror-state";
import { expect, test } from "vitest";
import { isFormattable } from "../../../../src/client/editor/menus/bubble.ts";
import { toggleHeading } from "../../../../src/client/editor/blocks/heading.ts";
import { doc, h, img, p, pre, EditorDriver } from "./typing.ts";

test("shows the bubble for selected text only", () => {
  const writer = new EditorDriver(doc(p("Owls"), p("Bats")));
  expect(isFormattable(writer.state)).toBe(false);
  expect(isFormattable(writer.placeCursor("O|wl|s").state)).toBe(true);
  expect(isFormattable(writer.selectAll().state)).toBe(true);
});

test("shows no bubble for a break between two paragraphs, a picture or code", () => {
  const writer = new EditorDriver(doc(p("Owls"), p("Bats", img()), pre("const owls = 2")));
  expect(isFormattable(writer.select(5, 7).state), "a break").toBe(false);
  const picture = NodeSelection.create(writer.state.doc, 11);
  expect(isFormattable(writer.state.apply(writer.state.tr.setSelection(picture))), "a picture").toBe(false);
  expect(isFormattable(writer.placeCursor("|owls|").state), "code").toBe(false);
});

test("makes headings of a selection that is not all headings, and otherwise paragraphs", () => {
  const writer = new EditorDriver(doc(h(2, "Owls"), p("Bats"))).selectAll();
  writer.run(toggleHeading(2));
  expect(writer.text).toBe('doc(heading("Owls"), heading("Bats"))');
  writer.run(toggleHeading(2));
  expect(writer.text).toBe('doc(paragraph("Owls"), paragraph("Bats"))');
});
