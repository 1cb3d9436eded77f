import { describe, expect, test } from "vitest";
import { openInsertPosition } from "../../../../src/client/editor/commands.ts";
import { pictureInDataUrl } from "../../../../src/client/editor/pictures/files.ts";
import { insertPicture } from "../../../../src/client/editor/pictures/pictures.ts";
import { EditorDriver, doc, fig, h, li, p, pre, ul } from "./typing.ts";

const picture = {
  id: "one",
  src: "/media/one/full.webp",
  srcset: "",
  width: 40,
  height: 30,
  color: "#777777",
};

/** Inserts a picture at the cursor, types a word behind it, and returns the text. */
function inserted(writer: EditorDriver): string {
  const { tr, pos } = openInsertPosition(writer.state);
  writer.state = writer.state.apply(tr);
  writer.type("on");
  writer.state = writer.state.apply(insertPicture(writer.state.tr, pos, picture, ""));
  return writer.text;
}

describe("an inserted picture becomes a figure, with the caret behind it", () => {
  test("in an empty text", () => {
    expect(inserted(new EditorDriver(doc(p())))).toBe(doc(fig(), p("on")).toString());
  });
  test("at the end of a paragraph", () => {
    expect(inserted(new EditorDriver(doc(p("one"))).placeCursor("one|"))).toBe(
      doc(p("one"), fig(), p("on")).toString(),
    );
  });
  test("at the end of a paragraph before another", () => {
    expect(inserted(new EditorDriver(doc(p("one"), p("two"))).placeCursor("one|"))).toBe(
      doc(p("one"), fig(), p("on"), p("two")).toString(),
    );
  });
  test("in the middle of one", () => {
    expect(inserted(new EditorDriver(doc(p("one two"))).placeCursor("one |two"))).toBe(
      doc(p("one "), fig(), p("ontwo")).toString(),
    );
  });
  test("at the start of a heading", () => {
    expect(inserted(new EditorDriver(doc(h(2, "one"))).placeCursor("|one"))).toBe(
      doc(fig(), h(2, "onone")).toString(),
    );
  });
  test("in a list item", () => {
    expect(inserted(new EditorDriver(doc(ul(li(p("one"))))).placeCursor("one|"))).toBe(
      doc(ul(li(p("one"), fig(), p("on")))).toString(),
    );
  });
  test("behind code, which cannot contain one", () => {
    expect(inserted(new EditorDriver(doc(pre("let a"))).placeCursor("let| a"))).toBe(
      doc(pre("leton a"), fig(), p()).toString(),
    );
  });
  test("with a new line to type in when nothing follows", () => {
    const writer = new EditorDriver(doc(p("one")));
    expect(insertPicture(writer.state.tr, 5, picture, "").doc.toString()).toBe(
      doc(p("one"), fig(), p()).toString(),
    );
  });
  test("with its path, its size and the alternative text", () => {
    const image = insertPicture(new EditorDriver(doc(p("one"))).state.tr, 5, picture, "A field").doc.child(
      1,
    ).firstChild!;
    expect(image.attrs).toEqual({
      src: "/media/one/full.webp",
      alt: "A field",
      title: null,
      width: 40,
      height: 30,
    });
  });
});

test("pictures inside data: addresses become files, and nothing else does", async () => {
  const blob = pictureInDataUrl("data:image/PNG;base64,AAEC");
  expect(blob?.type).toBe("image/png");
  expect([...new Uint8Array(await blob!.arrayBuffer())]).toEqual([0, 1, 2]);
  expect(pictureInDataUrl("data:text/html;base64,AAEC")).toBe(null);
  expect(pictureInDataUrl("data:image/png;base64,not base64!")).toBe(null);
  expect(pictureInDataUrl("https://example.org/a.png")).toBe(null);
});
