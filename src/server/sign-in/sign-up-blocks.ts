import { BlockList, isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { AppError } from "../../shared/errors.ts";
import { networkOf, normalizeAddress } from "../auth/ip-address.ts";
import type { Connection } from "../database/connection.ts";
import { findBlockedDomain, listBlockedNetworks } from "./sign-up-block-queries.ts";

/** Parses a domain, IP address or network into its stored form. */
export function parseSignupBlock(text: string): { kind: "domain" | "network"; value: string } | undefined {
  const value = text.trim().replace(/^@/, "");
  const [addressText = "", bits, more] = value.split("/");
  const address = normalizeAddress(addressText);
  const version = isIPv4(address) ? 4 : isIPv6(address) ? 6 : undefined;
  if (version !== undefined) {
    const maxBits = version === 4 ? 32 : 128;
    // A shorter prefix would block a good part of the internet.
    const minBits = version === 4 ? 8 : 16;
    const mappedBits = version === 4 && isIPv6(addressText) ? 96 : 0;
    const length =
      bits === undefined ? maxBits : Number(/^\d{1,3}$/.test(bits) ? bits : Number.NaN) - mappedBits;
    if (more !== undefined || address.includes("%") || !(length >= minBits && length <= maxBits))
      return undefined;
    return { kind: "network", value: `${networkOf(address, length)}/${length}` };
  }
  const domain = domainToASCII(value);
  const isDomain =
    domain.length <= 253 && /^(?=.*[a-z])([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/.test(domain);
  return isDomain ? { kind: "domain", value: domain } : undefined;
}

/** Returns an address's domain and its parents. */
function domainsOf(email: string): string[] {
  const labels = domainToASCII(email.slice(email.lastIndexOf("@") + 1)).split(".");
  return labels.map((_, at) => labels.slice(at).join("."));
}

/** Throws `forbidden` for a blocked domain or subdomain, with or without an account. */
export async function requireAllowedEmail(connection: Connection, email: string): Promise<void> {
  if (await findBlockedDomain(connection, domainsOf(email)))
    throw new AppError(
      "forbidden",
      "This site doesn’t accept addresses of this domain. Please use another one.",
      {
        field: "email",
      },
    );
}

/** Throws `forbidden` for an address in a blocked network. */
export async function requireAllowedNetwork(connection: Connection, address: string): Promise<void> {
  const normalized = normalizeAddress(address);
  const version = isIPv4(normalized) ? "ipv4" : isIPv6(normalized) ? "ipv6" : undefined;
  const networks = version === undefined ? [] : await listBlockedNetworks(connection);
  if (version === undefined || networks.length === 0) return;
  const blocked = new BlockList();
  for (const network of networks) {
    const [prefix = "", bits] = network.split("/");
    blocked.addSubnet(prefix, Number(bits), isIPv4(prefix) ? "ipv4" : "ipv6");
  }
  if (blocked.check(normalized, version))
    throw new AppError("forbidden", "This site doesn’t accept sign-ups from your network.");
}
