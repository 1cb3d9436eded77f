import { element } from "../element.ts";
import { figureSizes } from "../../../shared/document/blocks/picture.ts";
import { ratioOf } from "../../../shared/document/blocks/figure.ts";
import type { Node } from "prosemirror-model";
import { chainCommands } from "prosemirror-commands";
import { NodeSelection } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import type { NodeViewConstructor, NodeView, ViewMutationRecord } from "prosemirror-view";
import type { EditorBlock } from "../block.ts";
import { icons } from "../menus/icons.ts";
import { PictureView } from "../pictures/picture-view.ts";
import {
  arrow,
  backToFigure,
  deleteFigure,
  figureAt,
  leaveCaption,
  stayInCaption,
  toCaption,
} from "./figure-commands.ts";
import { figuresPlugin } from "./figure-plugin.ts";

const toCaptionIfSelected: Command = (state, dispatch) =>
  state.selection instanceof NodeSelection && figureAt(state) !== null && toCaption(state, dispatch);

export const figureBlock: EditorBlock = {
  keys: {
    Enter: chainCommands(toCaptionIfSelected, leaveCaption),
    Backspace: backToFigure,
    Delete: stayInCaption,
    ArrowUp: arrow("up"),
    ArrowDown: arrow("down"),
    ArrowLeft: arrow("left"),
    ArrowRight: arrow("right"),
  },
  earlyKeys: { Backspace: deleteFigure, Delete: deleteFigure },
  items: [{ name: "Image", keywords: "picture photo upload", icon: icons.image }],
  plugins: () => [figuresPlugin()],
  views(_options, ask) {
    const picture: NodeViewConstructor = (node, view, getPos) =>
      new PictureView(node, view, getPos, (pos, anchor) => ask({ about: "alt", pos, anchor }));
    return {
      image: picture,
      figure_image: picture,
      figure: (node) => new FigureView(node),
      figure_pair: (node) => new FigureView(node),
    };
  },
};

/** A figure or a pair as readers see it. ProseMirror sets the class of a selected one, so classes are toggled one by one. */
class FigureView implements NodeView {
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
