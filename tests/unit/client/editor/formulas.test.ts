import { expect, test } from "vitest";
import { toggleFormula } from "../../../../src/client/editor/blocks/formula.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { EditorDriver, doc, p, ul, li } from "./typing.ts";

const empty = () => new EditorDriver(doc(p()));
const formulasOf = (writer: EditorDriver): string[] => {
  const found: string[] = [];
  writer.state.doc.descendants(
    ({ type, attrs }) => void (type.name === "formula" && found.push(String(attrs.tex))),
  );
  return found;
};

test("begins a formula with two dollars and a space or Enter, and continues below it with Enter", () => {
  for (const typed of ["$$ ", "$$\n"]) {
    const writer = empty().type(typed).type("a^2\nWords.");
    expect(writer.text).toBe('doc(formula_block("a^2"), paragraph("Words."))');
  }
  expect(empty().type("costs $$ ").text).toBe('doc(paragraph("costs $$ "))');
});

test("inserts a line by Enter in an open environment, and ends an empty formula by Enter or Backspace", () => {
  const writer = empty().type("$$ \\begin{cases}\na \\\\\nb\\end{cases}\nWords");
  expect(writer.text).toBe(
    String.raw`doc(formula_block("\\begin{cases}\na \\\\\nb\\end{cases}"), paragraph("Words"))`,
  );
  expect(empty().type("$$ \nWords").text).toBe('doc(paragraph("Words"))');
  const first = empty().type("$$ ");
  first.press("Backspace");
  expect(first.text).toBe('doc(paragraph("$$ "))');
  const deletedWriter = empty().type("$$ x").placeCursor("|x");
  deletedWriter.press("Backspace");
  expect(deletedWriter.text).toBe('doc(paragraph("x"))');
});

test("makes an inline formula with the second dollar, which Backspace undoes", () => {
  const writer = empty().type("so $x^2$");
  expect(formulasOf(writer)).toEqual(["x^2"]);
  expect(writer.type(" it is").state.doc.textContent).toBe("so $x^2$ it is");
  expect(checkDocument(writer.json)).toMatchObject({ ok: true });
  const undoneWriter = empty().type("so $x$");
  undoneWriter.press("Backspace");
  expect(undoneWriter.text).toBe('doc(paragraph("so $x$"))');
  expect(formulasOf(new EditorDriver(doc(ul(li(p())))).type("$x$ and ($y$)"))).toEqual(["x", "y"]);
});

test.each(["It costs $5 and $6", "from $5-$6", "$HOME and $PATH", "US$5 or $", "`$x$`", "a$x$"])(
  "makes no formula of %j",
  (text) => {
    const writer = empty().type(text);
    expect(formulasOf(writer)).toEqual([]);
    expect(writer.state.doc.textContent).toBe(text.replaceAll("`", ""));
  },
);

test("turns a paragraph into a formula and back from the menu", () => {
  const writer = new EditorDriver(doc(p("x"))).placeCursor("|x");
  writer.run(toggleFormula);
  expect(writer.text).toBe('doc(formula_block("x"))');
  writer.run(toggleFormula);
  expect(writer.text).toBe('doc(paragraph("x"))');
});

test("indents a formula's line by Tab, and outdents it by Shift-Tab", () => {
  const writer = empty().type("$$ x");
  expect(writer.press("Tab")).toBe(true);
  expect(writer.text).toBe('doc(formula_block("x  "))');
  writer.placeCursor("|x").press("Tab");
  expect(writer.text).toBe('doc(formula_block("  x  "))');
  expect(writer.press("Shift-Tab")).toBe(true);
  expect(writer.text).toBe('doc(formula_block("x  "))');
});
