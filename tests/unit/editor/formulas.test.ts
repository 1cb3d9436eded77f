import { expect, test } from "vitest";
import { toggleFormula } from "../../../src/client/editor/formulas.ts";
import { checkDocument } from "../../../src/shared/document/check.ts";
import { Writer, doc, p, ul, li } from "./typing.ts";

const empty = () => new Writer(doc(p()));
const formulasOf = (writer: Writer): string[] => {
  const found: string[] = [];
  writer.state.doc.descendants(
    ({ type, attrs }) => void (type.name === "formula" && found.push(String(attrs.tex))),
  );
  return found;
};

test("two dollars and a space or Enter begin a formula, and Enter behind it goes on below", () => {
  for (const typed of ["$$ ", "$$\n"]) {
    const writer = empty().type(typed).type("a^2\nWords.");
    expect(writer.text).toBe('doc(formula_block("a^2"), paragraph("Words."))');
  }
  expect(empty().type("costs $$ ").text).toBe('doc(paragraph("costs $$ "))');
});

test("Enter is a new line where something is open; of an empty one it is a paragraph, as Backspace makes one", () => {
  const writer = empty().type("$$ \\begin{cases}\na \\\\\nb\\end{cases}\nWords");
  expect(writer.text).toBe(
    String.raw`doc(formula_block("\\begin{cases}\na \\\\\nb\\end{cases}"), paragraph("Words"))`,
  );
  expect(empty().type("$$ \nWords").text).toBe('doc(paragraph("Words"))');
  const first = empty().type("$$ ");
  first.press("Backspace");
  expect(first.text).toBe('doc(paragraph("$$ "))');
  const again = empty().type("$$ x").at("|x");
  again.press("Backspace");
  expect(again.text).toBe('doc(paragraph("x"))');
});

test("a formula in a line is there with its second dollar, and Backspace takes that back", () => {
  const writer = empty().type("so $x^2$");
  expect(formulasOf(writer)).toEqual(["x^2"]);
  expect(writer.type(" it is").state.doc.textContent).toBe("so $x^2$ it is");
  expect(checkDocument(writer.json)).toMatchObject({ ok: true });
  const back = empty().type("so $x$");
  back.press("Backspace");
  expect(back.text).toBe('doc(paragraph("so $x$"))');
  expect(formulasOf(new Writer(doc(ul(li(p())))).type("$x$ and ($y$)"))).toEqual(["x", "y"]);
});

test.each(["It costs $5 and $6", "from $5-$6", "$HOME and $PATH", "US$5 or $", "`$x$`", "a$x$"])(
  "%j is none",
  (text) => {
    const writer = empty().type(text);
    expect(formulasOf(writer)).toEqual([]);
    expect(writer.state.doc.textContent).toBe(text.replaceAll("`", ""));
  },
);

test("the menu makes one of a paragraph, and a paragraph of one", () => {
  const writer = new Writer(doc(p("x"))).at("|x");
  writer.run(toggleFormula);
  expect(writer.text).toBe('doc(formula_block("x"))');
  writer.run(toggleFormula);
  expect(writer.text).toBe('doc(paragraph("x"))');
});

test("Tab stays in a formula: it moves its line in, and Shift-Tab out", () => {
  const writer = empty().type("$$ x");
  expect(writer.press("Tab")).toBe(true);
  expect(writer.text).toBe('doc(formula_block("x  "))');
  writer.at("|x").press("Tab");
  expect(writer.text).toBe('doc(formula_block("  x  "))');
  expect(writer.press("Shift-Tab")).toBe(true);
  expect(writer.text).toBe('doc(formula_block("x  "))');
});
