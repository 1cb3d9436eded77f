import { DOMSerializer } from "prosemirror-model";
import type { Fragment } from "prosemirror-model";
import { schema } from "../../shared/document/schema.ts";
import { blocks } from "./blocks.ts";

type SerializeOptions = Parameters<DOMSerializer["serializeFragment"]>[1];
type Target = Parameters<DOMSerializer["serializeFragment"]>[2];

/** Gives copied formulas, cards and footnote signs a text, for programs that know only that. The editor reads their attributes. */
export class ClipboardSerializer extends DOMSerializer {
  readonly #text: string;

  /** `text` names the text, so that a paste knows whose footnotes the signs mean. */
  constructor(text: string) {
    super(
      {
        ...DOMSerializer.nodesFromSchema(schema),
        ...Object.assign({}, ...blocks.map(({ copied }) => copied)),
      },
      DOMSerializer.marksFromSchema(schema),
    );
    this.#text = text;
  }

  override serializeFragment(
    fragment: Fragment,
    options?: SerializeOptions,
    target?: Target,
  ): HTMLElement | DocumentFragment {
    const dom = super.serializeFragment(fragment, options, target);
    // Only once: it calls itself for the content of each node.
    if (!target) {
      numberSigns(dom as DocumentFragment, this.#text);
      writeWholeLinks(dom as DocumentFragment);
    }
    return dom;
  }
}

/** Other programs do not know where a path leads. */
function writeWholeLinks(dom: DocumentFragment): void {
  const { origin } = globalThis.location ?? { origin: "" };
  for (const name of ["href", "data-href"])
    for (const link of dom.querySelectorAll(`[${name}^="/blog/"]`)) {
      const path = link.getAttribute(name)!;
      if (link.textContent === path) link.textContent = origin + path;
      link.setAttribute(name, origin + path);
    }
}

/** Numbers footnotes as in their list, or, copied without it, in the order of the text. */
function numberSigns(dom: DocumentFragment, text: string): void {
  const keys = [...dom.querySelectorAll("li[data-note], sup.footnote-ref")]
    .toSorted((one, other) => Number(one.matches("sup")) - Number(other.matches("sup")))
    .map((element) => element.getAttribute("data-note"));
  const order = [...new Set(keys)];
  for (const sign of dom.querySelectorAll("sup.footnote-ref")) {
    sign.textContent = `[${order.indexOf(sign.getAttribute("data-note")) + 1}]`;
    sign.setAttribute("data-text", text);
  }
}
