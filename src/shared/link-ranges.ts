/** A link in a plain text: from, to. The server finds them (links.ts), as that takes more code than a first article has room for. */
export type LinkRange = [from: number, to: number];

/** Returns where a link in a plain text leads. */
export const linkHref = (address: string): string =>
  /^www\./i.test(address) ? `https://${address}` : address;
