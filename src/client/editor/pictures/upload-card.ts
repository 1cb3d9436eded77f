import { progressText } from "../../uploads/sending.ts";
import type { Sending, UnderWay } from "../../uploads/sending.ts";
import { element } from "../element.ts";

/** What stands in the text while a picture is on its way: preview, per cent, Cancel; after a failure the reason, Retry, Remove. */
export class UploadCard {
  readonly dom: HTMLElement;
  readonly sending: Sending;
  /** On the clock of `performance.now()`. */
  readonly begunAt = performance.now();
  readonly #bar = element("progress", { max: "100", value: "0", "aria-label": "Upload" });
  readonly #status = element("span", { class: "editor-upload-status tabular", role: "status" });
  readonly #retry = element("button", { type: "button", class: "editor-upload-button" }, "Retry");
  readonly #remove = element("button", { type: "button", class: "editor-upload-button" });

  constructor(sending: Sending, remove: () => void) {
    this.sending = sending;
    this.#retry.addEventListener("click", () => sending.again());
    this.#remove.addEventListener("click", remove);
    this.dom = element(
      "div",
      { class: "editor-upload", contenteditable: "false", role: "group", "aria-label": "Uploading picture" },
      element("img", { src: sending.shown.preview, alt: "" }),
      element("div", { class: "editor-upload-side" }, this.#bar, this.#status),
      this.#retry,
      this.#remove,
    );
    this.show(sending.shown);
  }

  show({ percent, failed, again }: UnderWay): void {
    this.dom.toggleAttribute("data-failed", failed !== null);
    this.#bar.hidden = failed !== null;
    this.#bar.value = percent;
    this.#status.textContent = failed ?? progressText(percent);
    this.#retry.hidden = !again;
    this.#remove.textContent = failed === null ? "Cancel" : "Remove";
  }
}
