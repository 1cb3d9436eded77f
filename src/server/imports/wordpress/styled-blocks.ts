import { figure, hasClass, isElement, readHtml, replace, withClass, type Tree } from "../reading/html.ts";

/** What blocks show by a style or a script of the site's: pictures behind words as pictures, and no buttons beside what they belong to. */
export function plainStyles(tree: Tree): void {
  for (const cover of withClass(
    tree,
    "wp-block-cover",
    "wp-block-cover-image",
    "wp-block-cover__image-background",
  )) {
    const src = /background-image\s?:\s?url\(([^()]*)\)/i.exec(cover.attribs.style ?? "")?.[1];
    const address = src?.replace(/^\s?["']|["']\s?$/g, "").trim();
    if (!address) continue;
    const picture = figure({ src: address, alt: cover.attribs["aria-label"] });
    const pieces = readHtml(picture).children;
    for (const piece of pieces) piece.parent = cover;
    cover.children = [...pieces, ...cover.children];
  }
  for (const block of withClass(tree, "wp-block-file")) {
    const links = block.children.filter(isElement).filter(({ name }) => name === "a");
    const buttons = links.filter((link) => hasClass(link, "wp-block-file__button"));
    // A file whose name is not shown has the button alone.
    if (buttons.length < links.length) for (const button of buttons) replace(button);
  }
}
