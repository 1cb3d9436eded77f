import { lookup as resolve, type LookupAddress } from "node:dns";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Networks outside the public internet: this machine or its neighbours. */
const nonPublicNetworks = new BlockList();
for (const net of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
]
  .join(" ")
  .split(" ")) {
  const [address = "", bits] = net.split("/");
  nonPublicNetworks.addSubnet(address, Number(bits), "ipv4");
}
// IPv6: only global addresses, and none that embed IPv4.
const globalIpv6 = new BlockList();
globalIpv6.addSubnet("2000::", 3, "ipv6");
for (const [address, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  nonPublicNetworks.addSubnet(address, bits, "ipv6");

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !nonPublicNetworks.check(address, "ipv4");
  return family === 6 && globalIpv6.check(address, "ipv6") && !nonPublicNetworks.check(address, "ipv6");
}

/** Returns a DNS lookup restricted to addresses that `mayReach` allows. */
export const restrictedLookup =
  (mayReach: (address: string) => boolean): LookupFunction =>
  (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const address = error ? undefined : addresses.find((each) => mayReach(each.address));
      if (!address) callback(error ?? new Error("Not of the web."), "", 4);
      else if (options.all) callback(null, [address]);
      else callback(null, address.address, address.family);
    });
  };

export interface PublicFetchOptions {
  mayReach: (address: string) => boolean;
  signal: AbortSignal;
  accept: string;
  /** Bytes to read. */
  maxBytes: number;
}

/** `bytes`: null when too many, or the status is not 200. */
export interface PublicFetchResult {
  bytes: Buffer | null;
  type: string;
  location?: string;
}

/** Sends a GET request; follows no redirects. Throws when the address cannot or must not be reached. */
export function fetchPublic(
  url: URL,
  { mayReach, signal, accept, maxBytes }: PublicFetchOptions,
): Promise<PublicFetchResult> {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error("Of another protocol.");
  // Names are checked by `restrictedLookup`, literal addresses here.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !mayReach(host)) throw new Error("Not of the web.");
  return new Promise((done, reject) => {
    const request = (url.protocol === "https:" ? https : http).get(
      url,
      {
        agent: false,
        auth: "",
        lookup: restrictedLookup(mayReach),
        signal,
        headers: { accept, "user-agent": "Reprise" },
      },
      (response) => {
        const { statusCode = 0, headers } = response;
        const type = headers["content-type"] ?? "";
        const finishWithoutBody = (location?: string) => {
          response.destroy();
          done({ bytes: null, type, ...(location === undefined ? {} : { location }) });
        };
        if (statusCode >= 300 && statusCode < 400 && headers.location)
          return finishWithoutBody(headers.location);
        if (statusCode !== 200 || Number(headers["content-length"] ?? 0) > maxBytes)
          return finishWithoutBody();
        const parts: Buffer[] = [];
        let length = 0;
        response.on("data", (part: Buffer) => {
          length += part.length;
          if (length > maxBytes) finishWithoutBody();
          else parts.push(part);
        });
        response.on("end", () => done({ bytes: Buffer.concat(parts), type }));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
  });
}
