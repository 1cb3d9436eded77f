import { parseHTML } from "linkedom";
import { Fragment, Slice } from "prosemirror-model";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { joinWrappedLines } from "../../../../src/client/editor/clipboard-text.ts";
import { linkAt, removeLink, setLink, typedLink } from "../../../../src/client/editor/links.ts";
import { looksLikeMarkdown } from "../../../../src/client/editor/paste-markdown.ts";
import { extractPictures, pasteRefusal } from "../../../../src/client/editor/paste.ts";
import { withoutSourceColors } from "../../../../src/client/editor/pasted-styles.ts";
import { directAddress } from "../../../../src/client/editor/pasted-links.ts";
import { lostPicturesMessage } from "../../../../src/client/editor/pictures/files.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { EditorDriver, doc, expectBlocks, li, marked, p, ul } from "./typing.ts";

const linked = (text: string, href: string) => schema.text(text, [schema.marks.link.create({ href })]);

describe("the link of a typed address", () => {
  test.each([
    ["https://example.org/a?b#c", "https://example.org/a?b#c"],
    ["example.org", "https://example.org"],
    [" example.org/path ", "https://example.org/path"],
    ["//example.org", "https://example.org"],
    ["example.org:8080/x", "https://example.org:8080/x"],
    ["localhost:3000/a", "https://localhost:3000/a"],
    ["ana@example.org", "mailto:ana@example.org"],
    ["mailto:ana@example.org", "mailto:ana@example.org"],
    ["tel:+4912345", "tel:+4912345"],
    ["/blog/owls#night", "/blog/owls#night"],
    ["/edit/owls", null],
    ["javascript:alert(1)", null],
    ["java\nscript:alert(1)", null],
    ["data:text/html,x", null],
    ["ftp://example.org", null],
    ["just words", null],
    ["", null],
  ])("%j", (typed, expected) => {
    expect(typedLink(typed)).toBe(expected);
  });
});

test("the link of a blog of this site is its path", () => {
  vi.stubGlobal("location", { origin: "https://reprise.example" });
  expect(typedLink("https://reprise.example/blog/owls#night")).toBe("/blog/owls#night");
  expect(typedLink("reprise.example/blog/owls")).toBe("/blog/owls");
  for (const address of ["https://reprise.example/home", "https://reprise.example.org/blog/owls"])
    expect(typedLink(address)).toBe(address);
  vi.unstubAllGlobals();
});

describe("links", () => {
  test("are made of the selection", () => {
    const writer = new EditorDriver(doc(p("see this page"))).placeCursor("see |this| page");
    writer.run(setLink("https://example.org"));
    expectBlocks(writer, p("see ", linked("this", "https://example.org"), " page"));
  });

  test("insert the address when nothing is selected", () => {
    const writer = new EditorDriver(doc(p("see "))).placeCursor("see |");
    writer.run(setLink("https://example.org/x"));
    writer.type(" on");
    expectBlocks(writer, p("see ", linked("example.org/x", "https://example.org/x"), " on"));
  });

  test.each([
    ["see th|is, it’s a page", "this"],
    ["see this|, it’s a page", "this"],
    ["see this, |it’s a page", "it’s"],
  ])("are made of the word with the caret: %j", (mark, word) => {
    const [before, after] = "see this, it’s a page".split(word) as [string, string];
    const writer = new EditorDriver(doc(p(mark.replace("|", "")))).placeCursor(mark);
    const caret = writer.state.selection.from;
    writer.run(setLink("https://example.org"));
    expectBlocks(writer, p(before, linked(word, "https://example.org"), after));
    expect(writer.state.selection).toMatchObject({ from: caret, to: caret });
  });

  test("are changed or removed as a whole, whatever marks are inside", () => {
    const bold = schema.text("page", [
      schema.marks.link.create({ href: "https://a.org" }),
      schema.marks.strong.create(),
    ]);
    const writer = new EditorDriver(doc(p("see ", linked("this ", "https://a.org"), bold))).placeCursor(
      "this p|age",
    );
    expect(linkAt(writer.state)).toMatchObject({ from: 5, to: 14 });
    writer.run(setLink("https://b.org"));
    expect(linkAt(writer.state)!.mark.attrs.href).toBe("https://b.org");
    expect(linkAt(writer.state)).toMatchObject({ from: 5, to: 14 });
    writer.run(removeLink);
    expectBlocks(writer, p("see this ", marked("page", "strong")));
  });
});

describe("paste", () => {
  beforeAll(() => {
    const { DOMParser } = parseHTML("<html></html>");
    Object.assign(globalThis, { DOMParser });
  });
  const origin = "https://reprise.example";
  const extract = (html: string, files: Blob[] = []) =>
    extractPictures(`<html><body>${html}</body></html>`, origin, files);

  test("takes pictures in data: addresses out to be uploaded", () => {
    const { html, pictures, lost } = extract('<p>a<img src="data:image/png;base64,AAEC">b</p>');
    expect(pictures).toHaveLength(1);
    expect(html).not.toMatch(/<img|data:/);
    expect(lost).toEqual([]);
  });

  test("keeps a picture that its page loads late, instead of its placeholder", () => {
    const { html, pictures } = extract(
      '<img src="data:image/gif;base64,AAEC" data-src="https://example.org/owl.png">',
    );
    expect(pictures).toEqual([]);
    expect(html).toContain('src="https://example.org/owl.png"');
  });

  test("keeps the site's own pictures, by their path", () => {
    expect(extract(`<img src="${origin}/media/one/full.webp">`).html).toContain('src="/media/one/full.webp"');
  });

  test("drops and names pictures that cannot be copied, and keeps those of other sites, by http too", () => {
    const { html, pictures, lost } = extract(
      '<img src="file:///C:/a.png"><img src="blob:x" alt=" An owl "><img src="http://example.org/a.png"><img src="https://example.org/a.png"><img src="data:text/html;base64,AAEC">',
    );
    expect(pictures).toEqual([]);
    expect(lost).toEqual(["number 1", "“An owl”", "number 5"]);
    expect(html.match(/src="[^"]*"/g)).toEqual([
      'src="http://example.org/a.png"',
      'src="https://example.org/a.png"',
    ]);
    expect(lostPicturesMessage(lost)).toBe(
      "We couldn’t copy 3 pictures: number 1, “An owl”, number 5. Add them from files.",
    );
  });

  test("takes pictures in another page's memory from the files beside them, if these are as many", () => {
    const files = [new File(["one"], "one.png"), new File(["two"], "two.png")];
    const html =
      '<img src="blob:https://a.example/1"><img src="https://a.example/b.png"><img src="blob:https://a.example/2">';
    expect(extract(html, files)).toMatchObject({ pictures: files, lost: [] });
    expect(extract(html, files.slice(1))).toMatchObject({ pictures: [], lost: ["number 1", "number 3"] });
  });

  test("removes the plain text and background colours of the source, and keeps other colours", () => {
    const color = (text: string, value: string) =>
      schema.text(text, [schema.marks.color.create({ color: value })]);
    const paper = schema.text("white", [
      schema.marks.background.create({ color: "#ffffff" }),
      schema.marks.strong.create(),
    ]);
    const slice = new Slice(
      Fragment.from(
        doc(p(color("black", "#000000"), color("red", "#ff0000"), color("grey", "#333333")), ul(li(p(paper))))
          .content,
      ),
      1,
      1,
    );
    const clean = withoutSourceColors(slice);
    expect(clean.content.firstChild!.eq(p("black", color("red", "#ff0000"), "grey"))).toBe(true);
    expect(clean.content.lastChild!.eq(ul(li(p(marked("white", "strong")))))).toBe(true);
    expect([clean.openStart, clean.openEnd]).toEqual([1, 1]);
  });

  test("removes the underline and the blue or violet of other programs from links, and keeps other colours", () => {
    const coloredLink = (ink: string | null, ...names: string[]) =>
      schema.text("the guide", [
        schema.marks.link.create({ href: "https://example.org/" }),
        ...(ink ? [schema.marks.color.create({ color: ink })] : []),
        ...names.map((name) => schema.marks[name]!.create()),
      ]);
    const pasted = (text: ReturnType<typeof coloredLink>) =>
      withoutSourceColors(new Slice(Fragment.from(p(text)), 0, 0)).content.firstChild!;
    // Google Docs, Word before and since 2023, GitHub, browsers; then visited links.
    for (const ink of [
      "#1155cc",
      "#0563c1",
      "#467886",
      "#0969da",
      "#0000ee",
      "#954f72",
      "#96607d",
      "#551a8b",
    ])
      expect(pasted(coloredLink(ink, "underline")).eq(p(coloredLink(null))), ink).toBe(true);
    expect(pasted(coloredLink(null, "underline", "strong")).eq(p(coloredLink(null, "strong")))).toBe(true);
    for (const ink of ["#ff0000", "#188038", "#e69138"])
      expect(pasted(coloredLink(ink)).eq(p(coloredLink(ink))), ink).toBe(true);
    const underlined = p(schema.text("owls", [schema.marks.underline.create()]));
    expect(
      withoutSourceColors(new Slice(Fragment.from(underlined), 0, 0)).content.firstChild!.eq(underlined),
    ).toBe(true);
  });
});

describe("pasted links lead directly", () => {
  test.each([
    [
      "https://www.google.com/url?q=https://example.org/a%3Fb%3D1%26c&sa=D&usg=x",
      "https://example.org/a?b=1&c",
    ],
    [
      "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.org%2F&data=1",
      "https://example.org/",
    ],
    ["https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.org%2F&h=x", "https://example.org/"],
    ["https://example.org/?a=1&utm_source=chatgpt.com#b", "https://example.org/?a=1#b"],
    ["https://example.org/?utm_source=chatgpt.com&a=1", "https://example.org/?a=1"],
  ])("%s", (href, target) => {
    expect(directAddress(href)).toBe(target);
  });
  test.each([
    "https://www.google.com/search?q=owls",
    "https://www.google.com/url?q=javascript:alert(1)",
    "https://www.google.com.evil.example/url?q=https://example.org/",
    "https://example.org/url?q=https://other.example/",
    "mailto:ana@example.org?subject=https://www.google.com/url",
  ])("not %s", (href) => {
    expect(directAddress(href)).toBe(href);
  });
});

describe("lines of plain text that a program broke", () => {
  const email = [
    "They call twice at night, and once more in the early morning when the",
    "mist still lies on the pond and nobody has come to look at the water,",
    "so one has to be there.",
  ];
  test("become a paragraph again", () => {
    expect(joinWrappedLines(["Hello Ben,", "", ...email, "", "Ana"].join("\n"))).toBe(
      ["Hello Ben,", "", email.join(" "), "", "Ana"].join("\n"),
    );
  });
  test.each([
    [
      "a poem",
      "The owl flew over the pond and the moon was there to see it flying so\nand then\nit went\nhome",
    ],
    ["a list", email.map((line) => `- ${line}`).join("\n")],
    ["a quotation", email.map((line) => `> ${line}`).join("\n")],
    ["one line each", email.join("\n\n")],
  ])("stay in %s", (_what, text) => {
    expect(joinWrappedLines(text)).toBe(text);
  });
});

describe("plain text is taken for Markdown", () => {
  test.each([
    ["a heading above a text", "# Owls\n\nThey call."],
    ["a list", "- one\n- two"],
    ["numbers", "1. one\n2. two"],
    ["a link", "See [the guide](https://example.org/a)."],
    ["a table", "a | b\n--- | ---\n1 | 2"],
    ["a fence", "Run:\n```sh\nls\n```\n"],
    ["a quotation", "> one\n> two"],
    ["bold words", "**One** and **two**."],
    ["headings beside a program", "# Owls\nThey sleep.\n# Bats\n```\nnpm i bats\n```"],
    ["a heading and a sentence with = in it", "# Sums\n\nThe sum a + b = c is known; export it."],
  ])("when it has %s", (_what, text) => {
    expect(looksLikeMarkdown(text)).toBe(true);
  });

  test.each([
    ["a remark in a program", "# install\nnpm install owl"],
    ["remarks in a shell script", "#!/bin/sh\n# The owls\n\nfind . -name owl\n# And bats\nfind . -name bat"],
    [
      "remarks between commands",
      "# Get it\n\ncurl -O https://owl.example/owl.tar\n\n# Open it\ntar xf owl.tar",
    ],
    [
      "remarks in a program's file",
      "# Owls and bats\n\nimport os\n\n# Counts owls\ndef owls():\n    return 1",
    ],
    ["remarks in settings", "# Where it is\nOWL_HOME=/srv/owls\n# Its port\nOWL_PORT=80"],
    ["sums", "2 * 3 * 4 and 2**8"],
    ["a name with lines", "snake_case_name and __init__"],
    ["a dash", "- no, he said"],
    ["a year", "1984. A year."],
    ["an arrow", "> yes"],
    ["words", "Just words, [sic], and more (much more)."],
    ["nothing", ""],
  ])("but not with %s", (_what, text) => {
    expect(looksLikeMarkdown(text)).toBe(false);
  });

  test("in limited time, whatever it is made of", () => {
    const start = performance.now();
    for (const part of ["[", " ", "`", "*", "|-", "#", "~~~x\n", "\n", "> ", "**a ", "]("])
      looksLikeMarkdown(part.repeat(500_000 / part.length));
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});

describe("too large a paste is refused before it is read", () => {
  const data = (kinds: Record<string, string>) =>
    ({ getData: (kind: string) => kinds[kind] ?? "" }) as unknown as DataTransfer;
  const longText = "owls ".repeat(90_000);

  test("by its length, together with the rest of the text", () => {
    expect(pasteRefusal(data({ "text/plain": longText }), () => 10)).toBeNull();
    expect(pasteRefusal(data({ "text/plain": longText }), () => 100_000)).toBe(
      "This is too long to paste: 450,000 characters. A blog has room for 500,000, this one for 400,000 more.",
    );
    expect(pasteRefusal(data({ "text/plain": longText.repeat(2) }), () => 0)).toBe(
      "This is too long to paste: 900,000 characters. A blog has room for 500,000.",
    );
  });

  test("by its markup, not counting pictures in data: addresses", () => {
    const picture = `<img src="data:image/png;base64,${"A".repeat(5_000_000)}">`;
    expect(pasteRefusal(data({ "text/html": picture }), () => 0)).toBeNull();
    expect(pasteRefusal(data({ "text/html": "<i>x</i>".repeat(60_000) }), () => 0)).toContain(
      "too much to paste",
    );
    expect(pasteRefusal(data({ "text/html": "x".repeat(2_100_000) }), () => 0)).toContain(
      "too much to paste",
    );
  });
});
