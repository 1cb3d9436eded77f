import fc from "fast-check";
import { expect, test } from "vitest";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import type { NodeJson } from "../../../../src/shared/document/schema.ts";
import { withoutUnreferencedNotes } from "../../../../src/shared/document/referenced-notes.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { documentToText } from "../../../../src/shared/document/to-text.ts";
import { arbitraryDocument } from "./arbitrary-document.ts";

const p = (...content: NodeJson[]): NodeJson => ({ type: "paragraph", content });
const text = (value: string): NodeJson => ({ type: "text", text: value });
const sign = (note: string): NodeJson => ({ type: "footnote_ref", attrs: { note } });
const note = (key: string, ...content: NodeJson[]): NodeJson => ({
  type: "footnote",
  attrs: { note: key },
  content: [p(...content)],
});
const notes = (...content: NodeJson[]): NodeJson => ({ type: "footnotes", content });
const doc = (...content: NodeJson[]) => ({ type: "doc" as const, content });

test("keeps the notes that a sign in the text leads to, directly or through another note, and no others", () => {
  const read = withoutUnreferencedNotes(
    doc(
      p(text("Owls"), sign("a")),
      notes(
        note("a", text("Some, see"), sign("b")),
        note("b", text("Brehm")),
        note("c", text("Left over"), sign("d")),
        note("d", text("Of what is left over")),
        note("e", text("Of itself"), sign("e")),
      ),
    ),
  );
  expect(documentToText(read)).toBe("Owls\nSome, see\nBrehm");
  expect(documentToHtml(read)).toContain('<li data-note="b" id="fn-b">');
});

test("removes a list without such notes, and leaves an empty line where it was the only content", () => {
  const unreferenced = notes(note("a", text("Left over")));
  expect(withoutUnreferencedNotes(doc(p(text("Owls")), unreferenced))).toEqual(doc(p(text("Owls"))));
  expect(withoutUnreferencedNotes(doc(unreferenced))).toEqual(doc({ type: "paragraph" }));
  const fold = { type: "fold", content: [{ type: "fold_summary" }, unreferenced] };
  expect(withoutUnreferencedNotes(doc(fold)).content[0]).toEqual({
    type: "fold",
    content: [{ type: "fold_summary" }, { type: "paragraph" }],
  });
});

test("turns any document into a valid one, and does not change that again", () => {
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      const read = withoutUnreferencedNotes(document);
      expect(checkDocument(read)).toMatchObject({ ok: true });
      expect(withoutUnreferencedNotes(read)).toBe(read);
    }),
  );
});
