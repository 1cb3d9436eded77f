import { Fragment, Slice } from "prosemirror-model";
import type { Mark, Node } from "prosemirror-model";
import { schema } from "../../shared/document/schema.ts";
import { storedLink } from "./links.ts";
import { safeLink } from "../../shared/document/values.ts";

/** Pages that only forward to the address in one of their parameters. */
const redirects: [host: RegExp, path: RegExp, parameters: string[]][] = [
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, /^\/url$/, ["q", "url"]],
  [/^lm?\.(?:facebook|instagram)\.com$/, /^\/(?:l\.php)?$/, ["u"]],
  [/\.safelinks\.protection\.outlook\.com$/, /^\//, ["url"]],
  [/^slack-redir\.net$/, /^\/link$/, ["url"]],
  [/^www\.youtube\.com$/, /^\/redirect$/, ["q"]],
  [/^www\.linkedin\.com$/, /^\/redir\/redirect\/?$/, ["url"]],
  [/^duckduckgo\.com$/, /^\/l\/$/, ["uddg"]],
  [/^out\.reddit\.com$/, /^\//, ["url"]],
];

/** Returns the address that a link leads to in the end. */
export function directAddress(href: string): string {
  const address = /^https?:/i.test(href) && URL.canParse(href) ? new URL(href) : null;
  const [, , parameters = []] =
    redirects.find(([host, path]) => address && host.test(address.hostname) && path.test(address.pathname)) ??
    [];
  for (const name of parameters) {
    const target = safeLink(address!.searchParams.get(name));
    if (target && /^https?:/i.test(target)) return withoutSource(target);
  }
  return withoutSource(href);
}

/** Removes what a chat program adds to each address. */
function withoutSource(href: string): string {
  const [, start, rest] = /^([^#]*[?&])utm_source=(?:chatgpt\.com|openai)(?:&|(?=#|$))(.*)$/.exec(href) ?? [];
  if (start === undefined || rest === undefined) return href;
  return (rest === "" || rest.startsWith("#") ? start.slice(0, -1) : start) + rest;
}

/** Replaces links to pages that forward readers by links to where they lead. */
export const withDirectLinks = (slice: Slice): Slice =>
  new Slice(directNodes(slice.content), slice.openStart, slice.openEnd);

const directNodes = (nodes: Fragment): Fragment =>
  Fragment.fromArray(
    nodes.content.map((node: Node) => (node.isText ? node : directNode(node)).mark(node.marks.map(direct))),
  );

function directNode(node: Node): Node {
  if (node.type !== schema.nodes.embed) return node.copy(directNodes(node.content));
  return node.type.create({ ...node.attrs, href: storedLink(String(node.attrs.href)) });
}

function direct(mark: Mark): Mark {
  if (mark.type !== schema.marks.link) return mark;
  const href = String(mark.attrs.href);
  const target = storedLink(directAddress(href));
  return target === href ? mark : mark.type.create({ ...mark.attrs, href: target });
}
