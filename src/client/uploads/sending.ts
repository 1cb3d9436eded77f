import type { Picture } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { storable } from "./files.ts";
import type { PictureUse } from "./files.ts";
import { UploadError, upload } from "./upload.ts";
import type { Upload } from "./upload.ts";

/** What is shown of a picture on its way, or of one that did not arrive. */
export interface UnderWay {
  /** An address of the file in this tab. */
  readonly preview: string;
  readonly percent: number;
  /** Why it did not arrive; null while it is sent. */
  readonly failed: string | null;
  /** Whether another try may help. */
  readonly again: boolean;
}

interface Hearer {
  changed(shown: UnderWay): void;
  arrived(picture: Picture): void;
}

/** How far it is. All sent is not all done: the server still looks at it. */
export const progressText = (percent: number): string => (percent < 100 ? `${percent} %` : "Almost there…");

/** What is said of a picture whose page went away before it had arrived. */
export const interrupted = (name: string): string =>
  `The upload of ${name} was interrupted. Please add it again.`;

/** One picture on its way to the server, until it has arrived or is ended; tried again as often as it is asked for. */
export class Sending {
  readonly file: Blob;
  readonly #use: PictureUse;
  readonly #hearer: Hearer;
  readonly #send: typeof upload;
  #shown: UnderWay;
  #upload: Upload | undefined;
  #arrival: Promise<Picture>;
  #isOver = false;

  constructor(file: Blob, use: PictureUse, hearer: Hearer, send = upload) {
    this.file = file;
    this.#use = use;
    this.#hearer = hearer;
    this.#send = send;
    this.#shown = { preview: URL.createObjectURL(file), percent: 0, failed: null, again: false };
    this.#arrival = this.#begin();
  }

  get name(): string {
    return this.file instanceof File ? this.file.name : "A picture";
  }

  get shown(): UnderWay {
    return this.#shown;
  }

  /** The stored picture of the last try. Rejects with an `UploadError` and nothing else. */
  get arrival(): Promise<Picture> {
    return this.#arrival;
  }

  /** Another try, where the last one failed. */
  again(): void {
    if (this.#shown.failed === null || this.#isOver) return;
    this.#show({ percent: 0, failed: null, again: false });
    this.#arrival = this.#begin();
  }

  /** Gives it up; nothing more is heard of it. */
  end(): void {
    this.#isOver = true;
    this.#upload?.cancel();
    URL.revokeObjectURL(this.#shown.preview);
  }

  #begin(): Promise<Picture> {
    const arrival = this.#try();
    // Who waits for it hears of a failure; if nobody does, what is shown tells it.
    arrival.catch(() => {});
    return arrival;
  }

  async #try(): Promise<Picture> {
    try {
      const bytes = await storable(this.file).catch(() => {
        throw new UploadError(
          "refused",
          "That picture could not be read here. Save it as JPEG or PNG, and try again.",
        );
      });
      if (this.#isOver) throw new UploadError("cancelled", "Cancelled.");
      const name =
        this.file instanceof File && bytes === this.file
          ? this.file.name
          : `picture.${bytes.type.replace("image/", "")}`;
      this.#upload = this.#send(bytes, name, this.#use, (percent) => this.#show({ percent }));
      const picture = await this.#upload.done;
      if (!this.#isOver) this.#hearer.arrived(picture);
      return picture;
    } catch (error) {
      const failure = error instanceof UploadError ? error : new UploadError("lost", messages.wrong);
      this.#show({ failed: failure.message, again: failure.reason !== "refused" });
      throw failure;
    }
  }

  #show(change: Partial<UnderWay>): void {
    if (this.#isOver) return;
    this.#shown = { ...this.#shown, ...change };
    this.#hearer.changed(this.#shown);
  }
}
