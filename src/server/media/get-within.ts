import { lookup as resolve, type LookupAddress } from "node:dns";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Networks that nothing of the web is in: what answers there is this machine's, or its neighbours'. */
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

/** How something of the web may be fetched. */
export interface Within {
  mayReach: (address: string) => boolean;
  signal: AbortSignal;
  accept: string;
  /** Bytes that are read. */
  most: number;
}

/** What was answered: null for bytes that are too many, or no answer to go by; where it leads, if elsewhere. */
export interface Got {
  bytes: Buffer | null;
  type: string;
  location?: string;
}

/** Asks an address of the web once, without following where it leads. Throws where it can't be reached, or may not be. */
export function getWithin(url: URL, { mayReach, signal, accept, most }: Within): Promise<Got> {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error("Of another protocol.");
  // A name is looked up by `lookupWithin`; an address that stands there as it is, by nobody.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !mayReach(host)) throw new Error("Not of the web.");
  return new Promise((done, reject) => {
    const request = (url.protocol === "https:" ? https : http).get(
      url,
      {
        agent: false,
        auth: "",
        lookup: lookupWithin(mayReach),
        signal,
        headers: { accept, "user-agent": "Reprise" },
      },
      (response) => {
        const { statusCode = 0, headers } = response;
        const type = headers["content-type"] ?? "";
        const drop = (location?: string) => {
          response.destroy();
          done({ bytes: null, type, ...(location === undefined ? {} : { location }) });
        };
        if (statusCode >= 300 && statusCode < 400 && headers.location) return drop(headers.location);
        if (statusCode !== 200 || Number(headers["content-length"] ?? 0) > most) return drop();
        const parts: Buffer[] = [];
        let length = 0;
        response.on("data", (part: Buffer) => {
          length += part.length;
          if (length > most) drop();
          else parts.push(part);
        });
        response.on("end", () => done({ bytes: Buffer.concat(parts), type }));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
  });
}
