import { writeFile } from "node:fs/promises";
import path from "node:path";
import { limits } from "../../shared/limits.ts";
import { fetchPublic, isPublicAddress } from "./fetch-public.ts";
import { readPictureHeader } from "./picture-header.ts";

/**
 * Fetches pictures from other sites, within bounds. Connects to public addresses only, checked at each connection: neither
 * redirects nor DNS changes lead to the local network.
 */
export class RemoteImages {
  readonly #mayReach: (address: string) => boolean;
  readonly isOn: boolean;

  /** `mayReach` is for tests, whose servers are local. */
  constructor(isOn: boolean, mayReach: (address: string) => boolean = isPublicAddress) {
    this.isOn = isOn;
    this.#mayReach = mayReach;
  }

  /** Downloads pictures into `folder`, within `limits.foreign`. Returns the files by address; failures are missing. */
  async fetch(addresses: string[], folder: string, signal?: AbortSignal): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    if (!this.isOn) return files;
    const { most, atOnce, time } = limits.remoteImages;
    const deadline = AbortSignal.any([AbortSignal.timeout(time), ...(signal ? [signal] : [])]);
    const queue = [...new Set(addresses)].slice(0, most);
    const download = async () => {
      for (let address = queue.shift(); address; address = queue.shift()) {
        const bytes = await this.#follow(address, deadline).catch(() => null);
        if (!bytes || !readPictureHeader(bytes)) continue;
        const file = path.join(folder, `foreign-${files.size}`);
        files.set(address, file);
        await writeFile(file, bytes);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, download));
    return files;
  }

  async #follow(address: string, signal: AbortSignal): Promise<Buffer | null> {
    let url = new URL(address);
    for (let hops = 0; hops <= limits.remoteImages.redirects; hops++) {
      const { bytes, location } = await fetchPublic(url, {
        mayReach: this.#mayReach,
        signal,
        accept: "image/avif,image/webp,image/png,image/jpeg,image/gif",
        maxBytes: limits.image.bytes,
      });
      if (location === undefined) return bytes;
      url = new URL(location, url);
    }
    return null;
  }
}
