import type { Node } from "prosemirror-model";
import type { EditorView, NodeView } from "prosemirror-view";
import { saidOfElsewhere } from "../../../shared/document/elsewhere.ts";
import { element } from "../element.ts";

/** Opens the question for the alternative text of the picture at `pos`, beside `anchor`. */
export type AskAlt = (pos: number, anchor: HTMLElement) => void;

/** A picture in the text or in a figure, with a button that says whether it has an alternative text and asks for one. */
export class PictureView implements NodeView {
  readonly dom: HTMLElement;
  readonly #image: HTMLImageElement;
  readonly #button: HTMLButtonElement;
  readonly #name: string;
  readonly #elsewhere = element("span", { class: "editor-elsewhere" });

  constructor(node: Node, view: EditorView, getPos: () => number | undefined, askAlt: AskAlt) {
    this.#name = node.type.name;
    this.#image = element("img", { draggable: "false" });
    this.#button = element("button", { type: "button", class: "editor-alt", tabindex: "-1" });
    this.#button.addEventListener("mousedown", (event) => event.preventDefault());
    this.#button.addEventListener("click", () => {
      const pos = getPos();
      if (pos !== undefined && view.editable) askAlt(pos, this.dom);
    });
    this.dom = element("span", { class: "editor-picture" }, this.#image, this.#elsewhere, this.#button);
    this.#draw(node);
  }

  update(node: Node): boolean {
    if (node.type.name !== this.#name) return false;
    this.#draw(node);
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#button;
  }

  ignoreMutation(): boolean {
    return true;
  }

  #draw(node: Node): void {
    const { src, alt, title, width, height } = node.attrs as {
      src: string;
      alt: string;
      title: string | null;
      width: number | null;
      height: number | null;
    };
    // The page shows the site's own pictures alone: this one the server brings in.
    const elsewhere = saidOfElsewhere(src, location.origin);
    this.#elsewhere.hidden = elsewhere === null;
    this.#elsewhere.textContent = elsewhere;
    this.#image.hidden = elsewhere !== null;
    if (elsewhere === null && this.#image.getAttribute("src") !== src) this.#image.src = src;
    this.#image.alt = alt;
    for (const [name, value] of Object.entries({ title, width, height })) {
      if (value === null) this.#image.removeAttribute(name);
      else this.#image.setAttribute(name, String(value));
    }
    this.#button.textContent = alt ? "Alt" : "Add alt text";
    this.#button.toggleAttribute("data-missing", !alt);
    this.#button.setAttribute("aria-label", alt ? `Alt text: ${alt}` : "Add alt text");
  }
}
