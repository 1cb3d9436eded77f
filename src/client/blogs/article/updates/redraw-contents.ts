import type { BlogPage } from "../../../../shared/blogs.ts";
import { contentsOf } from "../../../../shared/document/contents.ts";
import { holdStill } from "./hold-still.ts";

/** Brings the list of contents to what the text says by now; what was folded out stays so, and what is read stays in its place. */
export function redrawContents(
  body: HTMLElement,
  { html, readingMinutes }: Pick<BlogPage, "html" | "readingMinutes">,
): void {
  const contents = document.querySelector<HTMLElement>(".article > .contents");
  const now = document.createElement("template");
  now.innerHTML = contentsOf(html, readingMinutes);
  const [before, after] = [contents?.querySelector("details"), now.content.querySelector("details")];
  if (!contents || linksOf(before) === linksOf(after)) return;
  if (after && before) after.open = before.open;
  holdStill(body, () => contents.replaceChildren(now.content));
}

const linksOf = (list: Element | null | undefined): string =>
  [...(list?.querySelectorAll("a") ?? [])].map((link) => `${link.hash} ${link.textContent}`).join("\n");
