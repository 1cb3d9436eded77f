import { DocumentError } from "../../../shared/document/document-error.ts";
import {
  hasClass,
  isComment,
  named,
  replace,
  remainingIn,
  textIn,
  withClass,
  writeHtml,
  type Tree,
} from "../reading/html.ts";
import { markdownToHtml } from "../../../shared/document/from-markdown.ts";
import { isRow, parsedJson, trimmedText, type Row } from "../reading/values.ts";
import { cardHtml, type BodyReporter } from "./cards.ts";
import { lexicalToHtml } from "./lexical.ts";
import { mobiledocToHtml } from "./mobiledoc.ts";

/**
 * Returns a post's HTML, from the author's source if readable, else as rendered. Throws `DocumentError` when neither is usable.
 */
export function bodyOf(row: Row, reporter: BodyReporter): string {
  const renderedHtml = typeof row.html === "string" ? row.html : "";
  const source = trimmedText(row.lexical)
    ? { name: "Lexical", value: parsedJson(row.lexical), read: lexicalToHtml }
    : trimmedText(row.mobiledoc)
      ? { name: "Mobiledoc", value: parsedJson(row.mobiledoc), read: mobiledocToHtml }
      : null;
  if (!source)
    return (
      renderedHtml ||
      (trimmedText(row.markdown) ? markdownToHtml(String(row.markdown), { breaks: true }) : "")
    );
  try {
    if (!isRow(source.value)) throw new DocumentError(`Its text is not valid ${source.name}`);
    return source.read(source.value, reporter);
  } catch (error) {
    if (!(error instanceof DocumentError) || !renderedHtml) throw error;
    reporter.reportProblem(`Its HTML version was imported instead: ${error.message}`);
    return renderedHtml;
  }
}

/** Replaces Ghost's rendered cards with those of `cardHtml`. */
export function replaceRenderedCards(tree: Tree, reporter: BodyReporter): void {
  const card = (name: string, row: Row) => cardHtml(name, row, reporter) ?? "";
  for (const element of remainingIn(tree, withClass(tree, "kg-bookmark-card"))) {
    const part = (name: string) => withClass(element, name).map(textIn)[0];
    const url = named(element, "a")[0]?.attribs.href;
    const caption = named(element, "figcaption").map(writeHtml)[0];
    const metadata = { title: part("kg-bookmark-title"), description: part("kg-bookmark-description") };
    replace(element, card("bookmark", { url, metadata, caption }));
  }
  for (const element of remainingIn(tree, withClass(tree, "kg-toggle-card"))) {
    const inner = (name: string) => withClass(element, name).map(writeHtml)[0];
    replace(
      element,
      card("toggle", { heading: inner("kg-toggle-heading-text"), content: inner("kg-toggle-content") }),
    );
  }
  for (const element of remainingIn(tree, withClass(tree, "kg-callout-card"))) {
    const calloutText = withClass(element, "kg-callout-text").map(writeHtml)[0];
    const calloutEmoji = withClass(element, "kg-callout-emoji").map(textIn)[0];
    const backgroundColor = /(?:^|\s)kg-callout-card-(\w+)/.exec(element.attribs.class ?? "")?.[1];
    replace(element, card("callout", { calloutText, calloutEmoji, backgroundColor }));
  }
  for (const element of remainingIn(
    tree,
    withClass(tree, "kg-video-card", "kg-audio-card", "kg-file-card"),
  )) {
    const kind = ["video", "audio", "file"].find((name) => hasClass(element, `kg-${name}-card`)) ?? "file";
    const src = named(element, "video", "audio").map(({ attribs }) => attribs.src)[0];
    const title = withClass(element, "kg-audio-title", "kg-file-card-title").map(textIn)[0];
    const caption = named(element, "figcaption").map(writeHtml)[0];
    const href = named(element, "a")[0]?.attribs.href;
    replace(element, card(kind, { src: src ?? href, title, fileTitle: title, caption }));
  }
  for (const element of remainingIn(tree, withClass(tree, "kg-signup-card")))
    replace(element, card("signup", {}));
  // A comment marks the end of the preview.
  for (const comment of commentsIn(tree)) if (/^\s*members-only\s*$/i.test(comment.data)) card("paywall", {});
}

function* commentsIn(tree: Tree): Generator<{ data: string }> {
  const pending = [...tree.children];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isComment(node)) yield node as unknown as { data: string };
    else if ("children" in node) pending.push(...node.children);
  }
}
