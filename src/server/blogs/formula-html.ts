import { drawFormula } from "../../shared/document/draw-formula.ts";
import { unescapeHtml } from "../../shared/document/to-html.ts";
import { undrawn, type Piece } from "./drawn-blocks.ts";

/** A formula as pages draw it: MathML, or its source with why it is no more than that. To be called in a worker. */
export function formulaHtml({ html, formula }: Piece): string {
  const drawn = drawFormula(unescapeHtml(html), formula === "block");
  return "mathml" in drawn ? drawn.mathml : undrawn(html, drawn.wrong);
}
