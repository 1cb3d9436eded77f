import type { DocumentJson, NodeJson } from "./schema.ts";

/*
 * Links to blogs of this site: a text stores their paths, since the site can get another address, and a command may not know it.
 * What leaves the site has whole addresses.
 */

const path = /^\/blog\/[a-z\d]+(?:-[a-z\d]+)*(?:#[^\s"'<>\\^`{|}]*)?$/;

export const isOwnPath = (href: unknown): boolean => typeof href === "string" && path.test(href);

/** Returns the path of a blog's address at `origin`; other addresses as they are. */
export function ownPathOf(href: string, origin: string): string {
  const rest = href.startsWith(`${origin}/`) ? href.slice(origin.length) : "";
  return isOwnPath(rest) ? rest : href;
}

/** Returns the document with paths in place of addresses at `origin`. */
export const withOwnPaths = (document: DocumentJson, origin: string): DocumentJson =>
  withLinks(document, (href) => ownPathOf(href, origin));

/** Returns the document with addresses at `origin` in place of paths. */
export const withOwnAddresses = (document: DocumentJson, origin: string): DocumentJson =>
  withLinks(document, (href) => (isOwnPath(href) ? origin + href : href));

/** Changes the document, which is nobody else's. Not recursive, since documents may be deep. */
function withLinks(document: DocumentJson, change: (href: string) => string): DocumentJson {
  const nodes: NodeJson[] = [document];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.content) nodes.push(...node.content);
    const links = [
      ...(node.marks ?? []).filter(({ type }) => type === "link"),
      ...(node.type === "embed" ? [node] : []),
    ];
    for (const { attrs } of links) if (attrs) attrs.href = change(String(attrs.href));
  }
  return document;
}
