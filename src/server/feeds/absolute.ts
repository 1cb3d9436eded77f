/** A tag as published HTML has it (shared/document/to-html.ts): whatever stands between tags is escaped. */
const tag = /<[a-z][^\s/<>]*(?:\s+[\w-]+(?:="[^"]*")?)*\s*\/?>/g;
const address = /(\s(?:src|href|poster))="([/#][^"]*)"/g;
const choice = /\ssrcset="([^"]*)"/g;

/**
 * The HTML of a blog for whoever shows it elsewhere: its addresses are whole. `full` makes an address of a path of ours, `page` is
 * the blog's own address, where `#` leads to.
 */
export function absoluteHtml(html: string, page: string, full: (path: string) => string): string {
  const whole = (path: string): string =>
    path.startsWith("#") ? page + path : path.startsWith("//") ? path : asAttribute(full(asText(path)));
  return plain(html).replace(tag, (said) =>
    said
      .replace(address, (_all, name: string, path: string) => `${name}="${whole(path)}"`)
      .replace(
        choice,
        (_all, list: string) =>
          ` srcset="${list.replace(/(^|,\s*)(\/[^\s,]*)/g, (_one, before: string, path: string) => before + whole(path))}"`,
      ),
  );
}

/** Readers of feeds drop what they do not know: a box is a sign there, a heading has no link to itself, and a formula
 * in a line is its source. */
const plain = (html: string): string =>
  html
    .replace(/<a class="heading-link"(?:\s[\w-]+="[^"]*")*><\/a>/g, "")
    .replace(/<span class="ql-formula" data-value="[^"]*">([^<]*)<\/span>/g, "<code>$1</code>")
    .replace(
      /<input type="checkbox"((?:\s[\w-]+="[^"]*")*)><p((?:\s[\w-]+="[^"]*")*)>/g,
      (_all, said: string, more: string) => `<p${more}>${said.includes(' checked=""') ? "☑" : "☐"} `,
    );

/** Paths of ours that the pictures of a text have. */
export const picturesIn = (html: string): string[] =>
  [...html.matchAll(/<img\s(?:[^<>"]|"[^"]*")*?\bsrc="(\/media\/[^"]+)"/g)].map(([, path = ""]) =>
    asText(path),
  );

const asText = (value: string) => value.replaceAll("&amp;", "&");
const asAttribute = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
