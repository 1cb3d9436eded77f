import { writeFile } from "node:fs/promises";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { limits } from "../../shared/limits.ts";
import { fetchPublic, isPublicAddress } from "./fetch-public.ts";
import { readPictureHeader } from "./picture-header.ts";

/** A picture that is so often too slow counts as one that cannot be fetched. */
const mostTimeouts = 2;

interface FetchedImages {
  files: Map<string, string>;
  untried: Set<string>;
}

/**
 * Fetches pictures from other sites, within bounds. Connects to public addresses only, checked at each connection: neither
 * redirects nor DNS changes lead to the local network.
 */
export class RemoteImages {
  readonly #mayReach: (address: string) => boolean;
  readonly isOn: boolean;
  /** How often the time was up before a picture was there. */
  readonly #timeouts = new LRUCache<string, number>({ max: 1_000, ttl: 10 * 60_000 });

  /** `mayReach` is for tests, whose servers are local. */
  constructor(isOn: boolean, mayReach: (address: string) => boolean = isPublicAddress) {
    this.isOn = isOn;
    this.#mayReach = mayReach;
  }

  /**
   * Downloads pictures into `folder`, within `limits.remoteImages`. Returns the files by address, and the addresses that another
   * call may fetch: those for which there was no room or no time.
   */
  async fetch(addresses: string[], folder: string, signal?: AbortSignal): Promise<FetchedImages> {
    const files = new Map<string, string>();
    if (!this.isOn) return { files, untried: new Set() };
    const { most, mostInText, atOnce, time } = limits.remoteImages;
    const deadline = AbortSignal.any([AbortSignal.timeout(time), ...(signal ? [signal] : [])]);
    const all = [...new Set(addresses)];
    const queue = all.slice(0, most);
    const untried = new Set(all.slice(most, mostInText));
    const download = async () => {
      for (let address = queue.shift(); address; address = queue.shift()) {
        const isLate = deadline.aborted;
        const bytes = isLate ? null : await this.#follow(address, deadline).catch(() => null);
        if (isLate || (!bytes && deadline.aborted && this.#mayTryAgain(address))) untried.add(address);
        if (!bytes || !readPictureHeader(bytes)) continue;
        const file = path.join(folder, `foreign-${files.size}`);
        files.set(address, file);
        await writeFile(file, bytes);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, download));
    return { files, untried };
  }

  #mayTryAgain(address: string): boolean {
    const timeouts = (this.#timeouts.get(address) ?? 0) + 1;
    this.#timeouts.set(address, timeouts);
    return timeouts < mostTimeouts;
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
