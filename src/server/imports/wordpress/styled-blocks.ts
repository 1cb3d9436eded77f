import { figure, hasClass, isElement, readHtml, replace, withClass, type Tree } from "../reading/html.ts";

/** Replaces what needs the site's styles: background pictures become pictures, and redundant download buttons go. */
export function replaceStyledBlocks(tree: Tree): void {
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
    // The button may be the only link.
    if (buttons.length < links.length) for (const button of buttons) replace(button);
  }
}
