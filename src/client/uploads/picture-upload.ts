import type { Picture } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { toStorable, unreadableMessage } from "./files.ts";
import type { PictureUse } from "./files.ts";
import { inTurns } from "./turns.ts";
import { UploadError, upload } from "./upload.ts";
import type { Upload } from "./upload.ts";

/** An upload's displayed state. */
export interface UploadState {
  /** A blob URL of what is sent; null until then, since decoding a huge picture takes long. */
  readonly preview: string | null;
  readonly percent: number;
  /** Null while it is sent. */
  readonly failed: string | null;
  /** Whether a retry may help. */
  readonly canRetry: boolean;
}

interface UploadListener {
  changed(shown: UploadState): void;
  arrived(picture: Picture): void;
}

/** At 100 the server is still processing the picture. */
export const progressText = (percent: number): string => (percent < 100 ? `${percent} %` : "Almost there…");

/** The message for an upload that ended with its page. */
export const interruptedMessage = (name: string): string =>
  `The upload of ${name} was interrupted. Please add it again.`;

/** Few at once: the server refuses an account's pictures beyond a number, and one that waits in the browser seems stalled. */
const inUploadTurn = inTurns(4);

/** The upload of one picture, with retries. */
export class PictureUpload {
  readonly file: Blob;
  readonly #use: PictureUse;
  readonly #hearer: UploadListener;
  readonly #send: typeof upload;
  readonly #convert: typeof toStorable;
  #shown: UploadState;
  #upload: Upload | undefined;
  #arrival: Promise<Picture>;
  #isOver = false;

  constructor(file: Blob, use: PictureUse, hearer: UploadListener, send = upload, convert = toStorable) {
    this.file = file;
    this.#use = use;
    this.#hearer = hearer;
    this.#send = send;
    this.#convert = convert;
    this.#shown = { preview: null, percent: 0, failed: null, canRetry: false };
    this.#arrival = this.#begin();
  }

  get name(): string {
    return this.file instanceof File ? this.file.name : "A picture";
  }

  get shown(): UploadState {
    return this.#shown;
  }

  /** The stored picture of the last attempt. Rejects only with an `UploadError`. */
  get arrival(): Promise<Picture> {
    return this.#arrival;
  }

  tryAgain(): void {
    if (this.#shown.failed === null || this.#isOver) return;
    this.#show({ percent: 0, failed: null, canRetry: false });
    this.#arrival = this.#begin();
  }

  /** Cancels it; no callback follows. */
  endUpload(): void {
    this.#isOver = true;
    this.#upload?.cancel();
    if (this.#shown.preview !== null) URL.revokeObjectURL(this.#shown.preview);
  }

  #begin(): Promise<Picture> {
    const arrival = this.#try();
    // Callers see the failure in `arrival`; otherwise the displayed state shows it.
    arrival.catch(() => {});
    return arrival;
  }

  async #try(): Promise<Picture> {
    try {
      const bytes = await this.#convert(this.file, () => this.#isOver).catch(() => {
        throw new UploadError("refused", unreadableMessage(this.file));
      });
      if (this.#shown.preview === null && !this.#isOver) this.#show({ preview: URL.createObjectURL(bytes) });
      const name =
        this.file instanceof File && bytes === this.file
          ? this.file.name
          : `picture.${bytes.type.replace("image/", "")}`;
      const picture = await inUploadTurn(() => {
        if (this.#isOver) throw new UploadError("cancelled", "Cancelled.");
        this.#upload = this.#send(bytes, name, this.#use, (percent) => this.#show({ percent }));
        return this.#upload.done;
      });
      if (!this.#isOver) this.#hearer.arrived(picture);
      return picture;
    } catch (error) {
      const failure = error instanceof UploadError ? error : new UploadError("lost", messages.wrong);
      this.#show({ failed: failure.message, canRetry: failure.reason !== "refused" });
      throw failure;
    }
  }

  #show(change: Partial<UploadState>): void {
    if (this.#isOver) return;
    this.#shown = { ...this.#shown, ...change };
    this.#hearer.changed(this.#shown);
  }
}
