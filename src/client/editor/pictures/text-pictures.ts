import { useState } from "react";
import type { PictureUploads } from "./pictures.ts";

const none: PictureUploads = { sending: 0, failed: 0, names: [] };

/** The uploads of pictures in the text. */
export class TextPictures {
  #uploads = none;
  readonly #waiting: (() => void)[] = [];

  get names(): string[] {
    return this.#uploads.names;
  }

  isUnderWay(): boolean {
    return this.#uploads.sending > 0;
  }

  follow(uploads: PictureUploads): void {
    this.#uploads = uploads;
    if (!this.isUnderWay()) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Another text is opened, without uploads. */
  reset(): void {
    this.follow(none);
  }

  /** Waits for the uploads under way. Returns how many have failed. */
  async settle(): Promise<number> {
    if (this.isUnderWay()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#uploads.failed;
  }
}

export const useTextPictures = (): TextPictures => useState(() => new TextPictures())[0];
