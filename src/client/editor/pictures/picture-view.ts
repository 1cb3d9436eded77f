import type { Node } from "prosemirror-model";
import type { EditorView, NodeView } from "prosemirror-view";
import { remotePictureLabel } from "../../../shared/document/blocks/picture.ts";
import { element, setAttributes } from "../element.ts";

export type AskAlt = (pos: number, anchor: HTMLElement) => void;

/** A picture with a button for its alternative text. */
export class PictureView implements NodeView {
  readonly dom: HTMLElement;
  readonly #image: HTMLImageElement;
  readonly #button: HTMLButtonElement;
  readonly #name: string;
  readonly #elsewhere = element("span", { class: "picture-elsewhere editor-elsewhere", dir: "auto" });

  constructor(node: Node, view: EditorView, getPos: () => number | undefined, editAlt: AskAlt) {
    this.#name = node.type.name;
    this.#image = element("img", { draggable: "false" });
    // With `dir`, its text does not give the block its direction.
    this.#button = element("button", { type: "button", class: "editor-alt", tabindex: "-1", dir: "ltr" });
    this.#button.addEventListener("mousedown", (event) => event.preventDefault());
    this.#button.addEventListener("click", () => {
      const pos = getPos();
      if (pos !== undefined && view.editable) editAlt(pos, this.dom);
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
    // The page loads only the site's own pictures; the server imports this one.
    const elsewhere = remotePictureLabel(src, location.origin);
    this.#elsewhere.hidden = elsewhere === null;
    this.#elsewhere.textContent = elsewhere;
    this.#image.hidden = elsewhere !== null;
    if (elsewhere === null && this.#image.getAttribute("src") !== src) this.#image.src = src;
    this.#image.alt = alt;
    setAttributes(this.#image, { title, width, height });
    this.#button.textContent = alt ? "Alt" : "Add alt text";
    this.#button.toggleAttribute("data-missing", !alt);
    this.#button.setAttribute("aria-label", alt ? `Alt text: ${alt}` : "Add alt text");
  }
}
