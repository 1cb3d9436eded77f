import { afterEach, expect, test, vi } from "vitest";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, li, p, ul } from "./typing.ts";

const video = "https://youtu.be/aaaaaaaaaaa";

afterEach(() => vi.unstubAllGlobals());

test("Enter behind an address alone on its line makes a card, Backspace undoes it, and a space leaves a link", () => {
  const writer = new EditorDriver(doc(p())).type(`${video}\n`);
  expect(writer.text).toBe("doc(embed, paragraph)");
  expect(writer.state.doc.firstChild!.attrs).toEqual({ href: video, title: "", author: "", text: "" });
  writer.press("Backspace");
  expect(writer.text).toBe(`doc(paragraph("${video}"))`);
  expect(new EditorDriver(doc(p())).type(`${video} \n`).state.doc.firstChild!.type).toBe(
    schema.nodes.paragraph,
  );
});

test.each([`See ${video}`, "https://example.org/a", "http://youtu.be/aaaaaaaaaaa", "https://youtu.be/"])(
  "%j makes no card",
  (text) => {
    const writer = new EditorDriver(doc(p())).type(`${text}\n`);
    expect(writer.state.doc.firstChild!.type).toBe(schema.nodes.paragraph);
  },
);

test("makes no card in a list item, which begins with words", () => {
  const writer = new EditorDriver(doc(ul(li(p())))).type(`${video}\n`);
  expect(writer.state.doc.firstChild!.firstChild!.firstChild!.type).toBe(schema.nodes.paragraph);
});

test("makes a card of the address of a blog of this site, which Backspace undoes, but not of another site's", () => {
  vi.stubGlobal("location", { origin: "https://reprise.example" });
  const ownAddress = "https://reprise.example/blog/owls";
  const writer = new EditorDriver(doc(p())).type(`${ownAddress}\n`);
  expect(writer.text).toBe("doc(embed, paragraph)");
  expect(writer.state.doc.firstChild!.attrs).toEqual({ href: "/blog/owls", title: "", author: "", text: "" });
  writer.press("Backspace");
  expect(writer.text).toBe(`doc(paragraph("${ownAddress}"))`);
  for (const otherAddress of [`${ownAddress}?comments`, "https://other.example/blog/owls"]) {
    const plain = new EditorDriver(doc(p())).type(`${otherAddress}\n`);
    expect(plain.state.doc.firstChild!.type, otherAddress).toBe(schema.nodes.paragraph);
  }
});
