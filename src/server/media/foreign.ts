import http from "node:http";
import https from "node:https";
import { lookup as resolve, type LookupAddress } from "node:dns";
import { writeFile } from "node:fs/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import path from "node:path";
import { limits } from "../../shared/limits.ts";
import { headOf } from "./heads.ts";

/** Networks that no picture of the web is in: what answers there is this machine's, or its neighbours'. */
const notOfTheWeb = new BlockList();
for (const net of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
]
  .join(" ")
  .split(" ")) {
  const [address = "", bits] = net.split("/");
  notOfTheWeb.addSubnet(address, Number(bits), "ipv4");
}
// Of IPv6 what is given out to the world alone, without what leads to an IPv4 address in it.
const world = new BlockList();
world.addSubnet("2000::", 3, "ipv6");
for (const [address, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  notOfTheWeb.addSubnet(address, bits, "ipv6");

/** Whether an address is one of the web's, and not of the machine or a network that it stands in. */
export function isOfTheWeb(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notOfTheWeb.check(address, "ipv4");
  return family === 6 && world.check(address, "ipv6") && !notOfTheWeb.check(address, "ipv6");
}

/** Looks a name up, and finds those of its addresses alone that may be reached. */
export const lookupWithin =
  (mayReach: (address: string) => boolean): LookupFunction =>
  (name, options, answer) => {
    resolve(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const address = error ? undefined : found.find((each) => mayReach(each.address));
      if (!address) answer(error ?? new Error("Not of the web."), "", 4);
      else if (options.all) answer(null, [address]);
      else answer(null, address.address, address.family);
    });
  };

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
      const { bytes, location } = await this.#get(url, signal);
      if (location === undefined) return bytes;
      url = new URL(location, url);
    }
    return null;
  }

  #get(url: URL, signal: AbortSignal): Promise<{ bytes: Buffer | null; location?: string }> {
    if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error("Of another protocol.");
    // A name is looked up by `lookupWithin`; an address that stands there as it is, by nobody.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) && !this.#mayReach(host)) throw new Error("Not of the web.");
    return new Promise((done, reject) => {
      const request = (url.protocol === "https:" ? https : http).get(
        url,
        {
          agent: false,
          auth: "",
          lookup: lookupWithin(this.#mayReach),
          signal,
          headers: { accept: "image/webp,image/png,image/jpeg,image/gif", "user-agent": "Reprise" },
        },
        (response) => {
          const { statusCode = 0, headers } = response;
          const drop = (location?: string) => {
            response.destroy();
            done({ bytes: null, ...(location === undefined ? {} : { location }) });
          };
          if (statusCode >= 300 && statusCode < 400 && headers.location) return drop(headers.location);
          if (statusCode !== 200 || Number(headers["content-length"] ?? 0) > limits.image.bytes)
            return drop();
          const parts: Buffer[] = [];
          let length = 0;
          response.on("data", (part: Buffer) => {
            length += part.length;
            if (length > limits.image.bytes) drop();
            else parts.push(part);
          });
          response.on("end", () => done({ bytes: Buffer.concat(parts) }));
          response.on("error", reject);
        },
      );
      request.on("error", reject);
    });
  }
}
