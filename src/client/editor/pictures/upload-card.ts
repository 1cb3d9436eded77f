import { element } from "../element.ts";

interface Actions {
  retry(): void;
  remove(): void;
}

/** What stands in the text while a picture is on its way: preview, per cent, Cancel; after a failure the reason, Retry, Remove. */
export class UploadCard {
  readonly dom: HTMLElement;
  readonly name: string;
  failed = false;
  readonly #preview: string;
  readonly #bar = element("progress", { max: "100", value: "0", "aria-label": "Upload" });
  readonly #status = element("span", { class: "editor-upload-status tabular", role: "status" });
  readonly #retry: HTMLButtonElement;
  readonly #remove: HTMLButtonElement;

  constructor(file: Blob, actions: Actions) {
    this.name = file instanceof File ? file.name : "A picture";
    this.#preview = URL.createObjectURL(file);
    this.#retry = element("button", { type: "button", class: "editor-upload-button" }, "Retry");
    this.#remove = element("button", { type: "button", class: "editor-upload-button" }, "Cancel");
    this.#retry.addEventListener("click", () => actions.retry());
    this.#remove.addEventListener("click", () => actions.remove());
    this.dom = element(
      "div",
      { class: "editor-upload", contenteditable: "false", role: "group", "aria-label": "Picture on its way" },
      element("img", { src: this.#preview, alt: "" }),
      element("div", { class: "editor-upload-side" }, this.#bar, this.#status),
      this.#retry,
      this.#remove,
    );
  }

  sending(percent: number): void {
    this.failed = false;
    this.dom.removeAttribute("data-failed");
    this.#bar.hidden = false;
    this.#bar.value = percent;
    // All sent is not all done: the server still looks at it.
    this.#status.textContent = percent < 100 ? `${percent} %` : "Almost there…";
    this.#retry.hidden = true;
    this.#remove.textContent = "Cancel";
  }

  fail(message: string, worthRetrying: boolean): void {
    this.failed = true;
    this.dom.setAttribute("data-failed", "");
    this.#bar.hidden = true;
    this.#status.textContent = message;
    this.#retry.hidden = !worthRetrying;
    this.#remove.textContent = "Remove";
  }

  destroy(): void {
    URL.revokeObjectURL(this.#preview);
  }
}
