import { progressText } from "../../uploads/picture-upload.ts";
import type { PictureUpload, UploadState } from "../../uploads/picture-upload.ts";
import { element } from "../element.ts";

/** The card of an upload: preview, per cent, Cancel; after a failure the reason, Retry, Remove. */
export class UploadCard {
  readonly dom: HTMLElement;
  readonly sending: PictureUpload;
  /** As of `performance.now()`. */
  readonly begunAt = performance.now();
  readonly #picture = element("img", { alt: "" });
  readonly #bar = element("progress", { class: "grow", max: "100", value: "0", "aria-label": "Upload" });
  readonly #status = element("span", { class: "tabular", role: "status" });
  readonly #retry = element("button", { type: "button", class: "button button-small" }, "Retry");
  readonly #remove = element("button", { type: "button", class: "button button-small" });

  constructor(sending: PictureUpload, remove: () => void) {
    this.sending = sending;
    this.#retry.addEventListener("click", () => sending.tryAgain());
    this.#remove.addEventListener("click", remove);
    this.dom = element(
      "div",
      {
        class: "editor-upload panel row wrap",
        contenteditable: "false",
        role: "group",
        "aria-label": "Uploading picture",
      },
      this.#picture,
      element("div", { class: "row gap-3" }, this.#bar, this.#status),
      this.#retry,
      this.#remove,
    );
    this.show(sending.shown);
  }

  show({ preview, percent, failed, canRetry: again }: UploadState): void {
    if (preview !== null && this.#picture.src !== preview) this.#picture.src = preview;
    this.dom.toggleAttribute("data-failed", failed !== null);
    this.#bar.hidden = failed !== null;
    this.#bar.value = percent;
    this.#status.textContent = failed ?? progressText(percent);
    this.#retry.hidden = !again;
    this.#remove.textContent = failed === null ? "Cancel" : "Remove";
  }
}
