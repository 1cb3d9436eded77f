/** A tag in published HTML (shared/document/to-html.ts), whose text is escaped. */
const tag = /<[a-z][^\s/<>]*(?:\s+[\w-]+(?:="[^"]*")?)*\s*\/?>/g;
const address = /(\s(?:src|href|poster))="([/#][^"]*)"/g;
const choice = /\ssrcset="([^"]*)"/g;

/** Returns a blog's HTML with absolute URLs. `full` makes them of local paths; fragments belong to `page`. */
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

/** Feed readers drop unknown markup: check boxes become characters, heading links go, inline formulas become source. */
const plain = (html: string): string =>
  html
    .replace(/<a class="heading-link"(?:\s[\w-]+="[^"]*")*><\/a>/g, "")
    .replace(/<span class="ql-formula" data-value="[^"]*">([^<]*)<\/span>/g, "<code>$1</code>")
    .replace(
      /<input type="checkbox"((?:\s[\w-]+="[^"]*")*)><p((?:\s[\w-]+="[^"]*")*)>/g,
      (_all, said: string, more: string) => `<p${more}>${said.includes(' checked=""') ? "☑" : "☐"} `,
    );

/** Returns the local paths of pictures. */
export const picturesIn = (html: string): string[] =>
  [...html.matchAll(/<img\s(?:[^<>"]|"[^"]*")*?\bsrc="(\/media\/[^"]+)"/g)].map(([, path = ""]) =>
    asText(path),
  );

const asText = (value: string) => value.replaceAll("&amp;", "&");
const asAttribute = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
