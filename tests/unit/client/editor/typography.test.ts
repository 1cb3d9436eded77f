import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { typeset, typesetText } from "../../../../src/shared/typography.ts";
import { languageNames } from "../../../../src/shared/languages.ts";
import { EditorDriver, doc, expectBlocks, li, marked, ol, p, pre, ul } from "./typing.ts";

/** Returns the text of a paragraph in which `text` was typed. */
const typed = (text: string, language: string | null = "en") =>
  new EditorDriver(doc(p()), language).type(text).state.doc.textContent;

describe("typed signs", () => {
  test.each([
    ["en", `"It's," she said, "a 'word'."`, "“It’s,” she said, “a ‘word’.”"],
    ["de", `Er sagt "geht's 'so' gut", und geht.`, "Er sagt „geht’s ‚so‘ gut“, und geht."],
    ["fr", `Il dit "l'eau" ; oui !`, "Il dit «\u202fl’eau\u202f»\u202f; oui\u202f!"],
    ["es", `Dice "un 'no'" y calla`, "Dice «un “no”» y calla"],
    ["pl", `Mówi "nie 'tak'" i idzie`, "Mówi „nie ‚tak’” i idzie"],
    ["sv", `Han säger "nej" igen`, "Han säger ”nej” igen"],
    ["da", `Han siger "nej" igen`, "Han siger »nej« igen"],
    ["ru", `Он сказал "нет" и ушёл -- сам`, "Он сказал «нет» и ушёл — сам"],
    ["pt-BR", `Diz "não" -- e vai`, "Diz “não” – e vai"],
    ["en", "a -- b, c--d, e---f, and so on...", "a – b, c—d, e—f, and so on…"],
    ["de", "a -- b, 3--4", "a – b, 3–4"],
    ["en", `("so") ["so"] —"so"`, "(“so”) [“so”] —“so”"],
    ["ja", `"a" -- b...`, `"a" – b…`],
    ["en", "5....", "5…."],
    ["xx", `"a"`, "“a”"],
  ])("%s: %s", (language, text, expected) => {
    expect(typed(text, language)).toBe(expected);
    expect(typesetText(text, language)).toBe(expected);
    // Longer than what is looked back at.
    const long = "word ".repeat(1000);
    expect(typesetText(long + text, language, long)).toBe(long + expected);
  });

  test.each([
    "see https://example.org/a--b/'c'...d and",
    'at www.example.org/~a--b"c',
    "run npm test --all --watch=no",
    '`a "b" c--d...',
    "../.. and ./...",
    "<!-- a -->",
  ])("%s stays as it is typed", (text) => {
    expect(typed(text)).toBe(text);
  });

  test("leave rules and lists as they are", () => {
    expect(new EditorDriver(doc(p()), "en").type("---").state.doc.firstChild!.type.name).toBe(
      "horizontal_rule",
    );
    expectBlocks(new EditorDriver(doc(p()), "en").type('- "a"'), ul(li(p("“a”"))));
    expectBlocks(new EditorDriver(doc(p()), "en").type('1. **"a"**'), ol(li(p(marked("“a”", "strong")))));
  });

  test("are restored by Backspace right after, once", () => {
    for (const [text, plain] of [
      ['say "', 'say "'],
      ["so...", "so..."],
      ["a -- ", "a -- "],
      ["it'", "it'"],
    ] as const) {
      const writer = new EditorDriver(doc(p()), "en").type(text);
      expect(writer.state.doc.textContent, text).not.toBe(plain);
      expect(writer.press("Backspace")).toBe(true);
      expect(writer.state.doc.textContent).toBe(plain);
    }
    const writer = new EditorDriver(doc(p()), "en").type('"a');
    expect(writer.press("Backspace")).toBe(false);
  });

  test("keep the mark in which they are typed", () => {
    const writer = new EditorDriver(doc(p(marked("a", "em"))), "en").placeCursor("a|").type('"');
    expectBlocks(writer, p(marked("a”", "em")));
  });
});

const texts = fc
  .array(
    fc.constantFrom(
      '"',
      "'",
      "-",
      ".",
      " ",
      "a",
      "é",
      "ж",
      "(",
      ")",
      ",",
      ";",
      "!",
      "`",
      "“",
      "»",
      "1",
      "https://a.org/",
    ),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(""));
const language = fc.constantFrom(...Object.keys(languageNames), "de-CH", "pt-BR", "fr-CA");

describe("in any language", () => {
  test("code stays as typed, in a block and in a line", () => {
    fc.assert(
      fc.property(texts, language, (text, tag) => {
        const block = new EditorDriver(doc(pre("x")), tag).placeCursor("x|").type(text.replaceAll("`", ""));
        expect(block.state.doc.textContent).toBe(`x${text.replaceAll("`", "")}`);
        const line = new EditorDriver(doc(p(marked("x ", "code"))), tag)
          .placeCursor("x |")
          .type(text.replaceAll("`", "").trimEnd());
        expect(line.state.doc.textContent).toBe(`x ${text.replaceAll("`", "").trimEnd()}`);
      }),
    );
  });

  test("letters and digits never change, and nothing changes when it is switched off", () => {
    const lettersAndDigits = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");
    // The number at the start of a list's first line becomes its marker.
    const noList = texts.filter((text) => !/^\s*\d+[.)] /.test(text));
    fc.assert(
      fc.property(noList, language, (text, tag) => {
        expect(lettersAndDigits(typed(text, tag))).toBe(lettersAndDigits(text));
        const plain = new EditorDriver(doc(p("x")), null).placeCursor("x|").type(text.replaceAll("`", ""));
        expect(plain.state.doc.textContent).toBe(`x${text.replaceAll("`", "")}`);
      }),
    );
  });

  test("a word gets opening and closing quotation marks, and an apostrophe is the same everywhere", () => {
    fc.assert(
      fc.property(language, (tag) => {
        const opened = typeset("x ", '"', tag)?.text;
        const closed = typeset(`x ${opened ?? ""}word`, '"', tag)?.text;
        if (opened === undefined) {
          expect(closed).toBeUndefined();
          return;
        }
        expect(opened.trim()).toMatch(/^[“„«»”]$/);
        expect(closed!.trim()).toMatch(/^[“”«»]$/);
        // The apostrophe is the same in each of them.
        expect(typeset("don", "'", tag)?.text).toBe("’");
      }),
    );
  });
});
