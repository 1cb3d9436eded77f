import type { Node } from "prosemirror-model";
import type { NodeView, ViewMutationRecord } from "prosemirror-view";
import { ratioOf } from "../../../shared/document/blocks/figure.ts";
import { figureSizes } from "../../../shared/document/blocks/picture.ts";
import { element } from "../element.ts";

/** A figure or a pair as readers see it. ProseMirror sets the class of a selected one, so classes are toggled one by one. */
export class FigureView implements NodeView {
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement;
  #node: Node;

  constructor(node: Node) {
    this.#node = node;
    this.dom = this.contentDOM =
      node.type.name === "figure" ? element("figure", {}) : element("div", { class: "figure-pair" });
    this.#draw(node);
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false;
    this.#node = node;
    this.#draw(node);
    return true;
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return mutation.type === "attributes" && mutation.target === this.dom;
  }

  #draw(node: Node): void {
    for (const size of figureSizes) this.dom.classList.toggle(`figure-${size}`, node.attrs.size === size);
    if (node.type.name === "figure")
      this.dom.style.setProperty("--ratio", String(ratioOf(node.firstChild?.attrs ?? {})));
  }
}
