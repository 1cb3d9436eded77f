/** A tag in published HTML (shared/document/to-html.ts), whose text is escaped. */
const tag = /<[a-z][^\s/<>]*(?:\s+[\w-]+(?:="[^"]*")?)*\s*\/?>/g;
const address = /(\s(?:src|href|poster))="([/#][^"]*)"/g;
const srcset = /\ssrcset="([^"]*)"/g;

/** Returns a blog's HTML with absolute URLs. `toUrl` makes them of local paths; fragments belong to `page`. */
export function absoluteHtml(html: string, page: string, toUrl: (path: string) => string): string {
  const absolute = (path: string): string =>
    path.startsWith("#") ? page + path : path.startsWith("//") ? path : asAttribute(toUrl(asText(path)));
  return simplifyMarkup(html).replace(tag, (element) =>
    element
      .replace(address, (_all, name: string, path: string) => `${name}="${absolute(path)}"`)
      .replace(
        srcset,
        (_all, list: string) =>
          ` srcset="${list.replace(/(^|,\s*)(\/[^\s,]*)/g, (_one, before: string, path: string) => before + absolute(path))}"`,
      ),
  );
}

/** Another site's card (shared/document/to-html.ts): title, text, and author and place. */
const card =
  /(<a(?:\s[\w-]+="[^"]*")*>)<strong>([^<]*)<\/strong>(?:<span>([^<]*)<\/span>)?<small>([^<]*)<\/small><\/a>/g;

/**
 * Feed readers drop unknown markup and have no style sheet: check boxes become characters, heading links go, inline formulas
 * become source, and the parts of a card become paragraphs.
 */
const simplifyMarkup = (html: string): string =>
  html
    .replace(
      card,
      (_all, link: string, title: string, text = "", from: string) =>
        `<p>${link}<strong>${title}</strong></a></p>${text && `<p>${text}</p>`}${from && `<p><small>${from}</small></p>`}`,
    )
    .replace(/<a class="heading-link"(?:\s[\w-]+="[^"]*")*><\/a>/g, "")
    .replace(/<span class="ql-formula" data-value="[^"]*">([^<]*)<\/span>/g, "<code>$1</code>")
    .replace(
      /<input type="checkbox"((?:\s[\w-]+="[^"]*")*)><p((?:\s[\w-]+="[^"]*")*)>/g,
      (_all, attributes: string, paragraphAttributes: string) =>
        `<p${paragraphAttributes}>${attributes.includes(' checked=""') ? "☑" : "☐"} `,
    );

/** Returns the local paths of pictures. */
export const picturesIn = (html: string): string[] =>
  [...html.matchAll(/<img\s(?:[^<>"]|"[^"]*")*?\bsrc="(\/media\/[^"]+)"/g)].map(([, path = ""]) =>
    asText(path),
  );

const asText = (value: string) => value.replaceAll("&amp;", "&");
const asAttribute = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
