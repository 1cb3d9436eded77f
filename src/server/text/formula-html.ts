import { renderFormula } from "../../shared/document/render-formula.ts";
import { unescapeHtml } from "../../shared/document/html-tags.ts";
import { unrenderedFormula, type Piece } from "./render-blocks.ts";

/** Returns MathML, or the source with the reason why not. Call in a worker thread. */
export function formulaHtml({ html, formula }: Piece): string {
  const rendered = renderFormula(unescapeHtml(html), formula === "block");
  return "mathml" in rendered ? rendered.mathml : unrenderedFormula(html, rendered.wrong);
}
