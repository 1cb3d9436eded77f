import temml from "temml";

export type RenderedFormula = { mathml: string } | { wrong: string };

/** Characters of TeX and of MathML. */
const maxLengths = { tex: 5_000, mathml: (tex: string) => 2_000 + 100 * tex.length };
/** Parse nodes and array cells of formulas with arrays or macro definitions (rows are padded to the length of the first). */
const parts = { nodes: 50_000, cells: 3_000 };
/** In em: the longest length, and the furthest that something is moved. */
const maxShift = 20;
/**
 * Macro expansions. Fewer for formulas that define macros: a macro may be as long as the formula, and repeats its argument for
 * each `#`.
 */
const expansions = {
  usual: 1_000,
  own: (tex: string) => Math.min(1_000, Math.floor(400_000 / (tex.length * tex.split("#").length))),
};
const defines = /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![a-zA-Z])/;

/**
 * Converts TeX to MathML with the TeX as its annotation. Safe for any input: the result has no links, loads and runs nothing,
 * and time and size are bounded.
 */
export function renderFormula(tex: string, isBlock: boolean): RenderedFormula {
  if (tex.trim() === "") return { wrong: "There is nothing in this formula yet." };
  if (tex.length > maxLengths.tex) return { wrong: "This formula is too long to be displayed." };
  const isOwn = defines.test(tex);
  const settings = () => ({
    displayMode: isBlock,
    annotate: true,
    throwOnError: true,
    trust: false,
    strict: false,
    macros: {},
    maxSize: [maxShift, maxShift] satisfies [number, number],
    maxExpand: isOwn ? expansions.own(tex) : expansions.usual,
  });
  try {
    if ((isOwn || tex.includes("&")) && isTooLarge(temml.__parse(tex, settings())))
      return { wrong: "This formula becomes too large to be displayed." };
    const mathml = temml.renderToString(tex, settings());
    if (mathml.length > maxLengths.mathml(tex))
      return { wrong: "This formula becomes too large to be displayed." };
    return isMathml(mathml)
      ? { mathml }
      : { wrong: "This formula uses something that isn’t supported here." };
  } catch (error) {
    return { wrong: reasonOf(error) };
  }
}

/** Whether the formula would become too large; checked before rendering. */
function isTooLarge(tree: unknown): boolean {
  let [nodes, cells] = [0, 0];
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    if (++nodes > parts.nodes) return true;
    if ("body" in node && "type" in node && node.type === "array") {
      const rows = node.body as unknown[][];
      cells += rows.length * (rows[0]?.length ?? 0);
      if (cells > parts.cells) return true;
    }
    for (const [name, value] of Object.entries(node))
      if (name !== "loc" && typeof value === "object") open.push(value);
  }
  return false;
}

const elements = new Set(
  (
    "math semantics annotation mrow mi mn mo ms mtext mspace mstyle merror mpadded mphantom menclose mfrac msqrt mroot " +
    "msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd span"
  ).split(" "),
);
const attributes = new Set(
  (
    "accent accentunder class columnalign columnlines columnspacing columnspan depth dir display displaystyle encoding fence " +
    "form height largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize " +
    "movablelimits notation rowlines rowspacing rowspan rspace scriptlevel separator stretchy style symmetric voffset width"
  ).split(" "),
);

/** Whether the output has only known elements, attributes and values: newer library versions cannot add others. */
function isMathml(html: string): boolean {
  if (!html.startsWith("<math")) return false;
  let moved = 0;
  for (const [, name = "", attributeText = ""] of html.matchAll(
    /<\/?([a-zA-Z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/g,
  )) {
    if (!elements.has(name)) return false;
    for (const [, attribute = "", value = ""] of attributeText.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)) {
      if (!attributes.has(attribute) || /url|fixed|absolute|[\\@<>]/i.test(value)) return false;
      for (const length of lengthsIn(value)) {
        if (Math.abs(length) > maxShift) return false;
        if (length < 0 || attribute === "voffset") moved += Math.abs(length);
      }
    }
    if (moved > maxShift) return false;
  }
  return true;
}

/** In em. */
const units: Record<string, number> = {
  em: 1,
  ex: 0.5,
  mu: 1 / 18,
  pt: 0.1,
  px: 0.07,
  mm: 0.3,
  cm: 3,
  pc: 1.2,
  in: 7,
};

const lengthsIn = (value: string): number[] =>
  [...value.matchAll(/([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(em|ex|mu|pt|px|mm|cm|pc|in)\b/g)].map(
    ([, number, unit]) => Number(number) * (units[unit!] ?? 1),
  );

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return "This formula is nested too deeply.";
  const message = error instanceof Error ? error.message : "";
  const [, reason = ""] = /^([^\n]*?)(?: at (?:position \d+|end of input).*)?(?:\n|$)/.exec(message) ?? [];
  return reason.trim().slice(0, 200) || "This formula cannot be read.";
}
