import fc from "fast-check";
import { expect, test } from "vitest";
import { checkDocument } from "../../../src/shared/document/check.ts";
import type { NodeJson } from "../../../src/shared/document/schema.ts";
import { forReaders } from "../../../src/shared/document/signed-notes.ts";
import { documentToHtml } from "../../../src/shared/document/to-html.ts";
import { documentToText } from "../../../src/shared/document/to-text.ts";
import { arbitraryDocument } from "./arbitrary-document.ts";

const p = (...content: NodeJson[]): NodeJson => ({ type: "paragraph", content });
const text = (said: string): NodeJson => ({ type: "text", text: said });
const sign = (note: string): NodeJson => ({ type: "footnote_ref", attrs: { note } });
const note = (key: string, ...content: NodeJson[]): NodeJson => ({
  type: "footnote",
  attrs: { note: key },
  content: [p(...content)],
});
const notes = (...content: NodeJson[]): NodeJson => ({ type: "footnotes", content });
const doc = (...content: NodeJson[]) => ({ type: "doc" as const, content });

test("readers have the notes that a sign in the text leads to, directly or by another note, and no others", () => {
  const read = forReaders(
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

test("a list of notes that nobody reads goes, and what held nothing else holds an empty line", () => {
  const left = notes(note("a", text("Left over")));
  expect(forReaders(doc(p(text("Owls")), left))).toEqual(doc(p(text("Owls"))));
  expect(forReaders(doc(left))).toEqual(doc({ type: "paragraph" }));
  const fold = { type: "fold", content: [{ type: "fold_summary" }, left] };
  expect(forReaders(doc(fold)).content[0]).toEqual({
    type: "fold",
    content: [{ type: "fold_summary" }, { type: "paragraph" }],
  });
});

test("what readers have is a document, the same each time, and the text itself where all notes have signs", () => {
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      const read = forReaders(document);
      expect(checkDocument(read)).toMatchObject({ ok: true });
      expect(forReaders(read)).toBe(read);
    }),
  );
});
