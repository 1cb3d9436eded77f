import { BlockList, isIPv4, isIPv6 } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { AppError } from "../../shared/errors.ts";
import { networkOf, plainAddress } from "../auth/plain-address.ts";
import type { Connection } from "../database/connection.ts";
import { findDomain, listNetworks } from "./sender-queries.ts";

/* Mail domains and networks that nobody joins from. */

/** A domain with what is below it, or an address or network, in the one form that is kept; undefined where it is neither. */
export function readSender(text: string): { kind: "domain" | "network"; value: string } | undefined {
  const value = text.trim().replace(/^@/, "");
  const [written = "", bits, more] = value.split("/");
  const address = plainAddress(written);
  const version = isIPv4(address) ? 4 : isIPv6(address) ? 6 : undefined;
  if (version !== undefined) {
    const most = version === 4 ? 32 : 128;
    // So few bits are a good part of everybody.
    const least = version === 4 ? 8 : 16;
    const skipped = version === 4 && isIPv6(written) ? 96 : 0;
    const length = bits === undefined ? most : Number(/^\d{1,3}$/.test(bits) ? bits : Number.NaN) - skipped;
    if (more !== undefined || address.includes("%") || !(length >= least && length <= most)) return undefined;
    return { kind: "network", value: `${networkOf(address, length)}/${length}` };
  }
  const domain = domainToASCII(value);
  const isDomain =
    domain.length <= 253 && /^(?=.*[a-z])([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/.test(domain);
  return isDomain ? { kind: "domain", value: domain } : undefined;
}

/** The domain of an address, and those above it; as older versions kept them, too. */
function domainsOf(email: string): string[] {
  const domain = domainToASCII(email.slice(email.lastIndexOf("@") + 1));
  return [domain, domainToUnicode(domain)].flatMap((form) => {
    const labels = form.split(".");
    return labels.map((_, at) => labels.slice(at).join("."));
  });
}

/** Throws `forbidden` where mail of this domain is not taken, the same whether the address has an account or not. */
export async function requireMail(connection: Connection, email: string): Promise<void> {
  if (await findDomain(connection, domainsOf(email)))
    throw new AppError("forbidden", "This site takes no addresses there. Please use another one.", {
      field: "email",
    });
}

/** The same where nobody joins from this network. */
export async function requireNetwork(connection: Connection, address: string): Promise<void> {
  const plain = plainAddress(address);
  const version = isIPv4(plain) ? "ipv4" : isIPv6(plain) ? "ipv6" : undefined;
  const networks = version === undefined ? [] : await listNetworks(connection);
  if (version === undefined || networks.length === 0) return;
  const shut = new BlockList();
  for (const network of networks) {
    const [prefix = "", bits] = network.split("/");
    shut.addSubnet(prefix, Number(bits), isIPv4(prefix) ? "ipv4" : "ipv6");
  }
  if (shut.check(plain, version))
    throw new AppError("forbidden", "This site takes no new accounts from your network.");
}
