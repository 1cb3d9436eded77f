import { LinkifyIt, REBuilder } from "linkify-it";
import { linkHref, type LinkRange } from "./link-ranges.ts";

/** Characters of a link. */
const longest = 2_000;

class Patterns extends REBuilder {
  /** An address can follow a character of a script without spaces. */
  override get_schema_search(): RegExp {
    return (this.cache.schemaSearch ??= new RegExp(
      `(^|[^a-z0-9@./])(${this.get_schema_names().source})`,
      "gi",
    ));
  }
  /** Also code's quotation mark, invisible characters, and what stands for a picture in the editor's text. */
  override get_text_separators(): RegExp {
    return /[><\uff5c`\u200b-\u200f\u2028-\u202f\u2066-\u2069\ufffc]/;
  }
}

const linkifier = new LinkifyIt({
  fuzzyEmail: false,
  urlAuth: true,
  maxLength: longest,
  rebuilder: new Patterns(),
});
for (const scheme of ["ftp:", "mailto:", "//"]) linkifier.add(scheme, null);
linkifier.add("www.", {
  validate: (text, position, { re }) => {
    const host = re.get_relative_proto_validator();
    host.lastIndex = position - "www.".length;
    return Math.max(0, (host.exec(text)?.[0].length ?? 0) - "www.".length);
  },
  normalize: () => {},
});

/** Returns the ranges of a plain text's addresses of web pages, without the punctuation around them. */
export function findLinks(text: string): LinkRange[] {
  // Most texts have none.
  if (!/https?:\/\/|www\./i.test(text)) return [];
  return (linkifier.match(text) ?? []).flatMap(({ index, raw }): LinkRange[] => {
    // The library leaves a full stop before a bracket, and the stars of `*https://example.org/a*`.
    const address = raw.replace(/[.,:;!?*_~'"]+$/, "");
    return isWebAddress(linkHref(address)) ? [[index, index + address.length]] : [];
  });
}

/** Whether it is an address without a password, and not of a host that only a local network knows. */
function isWebAddress(href: string): boolean {
  if (!URL.canParse(href)) return false;
  const { protocol, username, password, hostname } = new URL(href);
  if (!/^https?:$/.test(protocol) || username || password) return false;
  return hostname.includes(".") || hostname === "localhost" || hostname.startsWith("[");
}
