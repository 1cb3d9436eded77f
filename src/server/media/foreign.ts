import { writeFile } from "node:fs/promises";
import path from "node:path";
import { limits } from "../../shared/limits.ts";
import { getWithin, isOfTheWeb } from "./get-within.ts";
import { headOf } from "./heads.ts";

/**
 * Fetches pictures from elsewhere, within bounds. It connects to addresses of the web alone: asked at the moment of
 * connecting, of each name anew, so that neither a redirect nor a name that changes leads inside.
 */
export class ForeignPictures {
  readonly #mayReach: (address: string) => boolean;
  readonly isOn: boolean;

  /** `mayReach` is another rule for tests, whose servers stand on this machine. */
  constructor(isOn: boolean, mayReach: (address: string) => boolean = isOfTheWeb) {
    this.isOn = isOn;
    this.#mayReach = mayReach;
  }

  /** Each picture that can be had, as a file in `folder`; as many as are allowed, two at a time, all within a few seconds. */
  async fetch(addresses: string[], folder: string, signal?: AbortSignal): Promise<Map<string, string>> {
    const had = new Map<string, string>();
    if (!this.isOn) return had;
    const { most, atOnce, time } = limits.foreign;
    const inTime = AbortSignal.any([AbortSignal.timeout(time), ...(signal ? [signal] : [])]);
    const waiting = [...new Set(addresses)].slice(0, most);
    const work = async () => {
      for (let address = waiting.shift(); address; address = waiting.shift()) {
        // Whatever the reason, it is not had.
        const bytes = await this.#follow(address, inTime).catch(() => null);
        if (!bytes || !headOf(bytes)) continue;
        const file = path.join(folder, `foreign-${had.size}`);
        had.set(address, file);
        await writeFile(file, bytes);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return had;
  }

  async #follow(address: string, signal: AbortSignal): Promise<Buffer | null> {
    let url = new URL(address);
    for (let hops = 0; hops <= limits.foreign.redirects; hops++) {
      const { bytes, location } = await getWithin(url, {
        mayReach: this.#mayReach,
        signal,
        accept: "image/avif,image/webp,image/png,image/jpeg,image/gif",
        most: limits.image.bytes,
      });
      if (location === undefined) return bytes;
      url = new URL(location, url);
    }
    return null;
  }
}
