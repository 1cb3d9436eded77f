import type { BlogPage } from "../../../../shared/blogs.ts";
import { contentsOf } from "../../../../shared/document/contents.ts";
import { keepTextAnchored } from "./text-scroll-anchor.ts";

/** Updates the table of contents, which stays open or closed; the text being read stays in place. */
export function updateContents(
  body: HTMLElement,
  { html, readingMinutes }: Pick<BlogPage, "html" | "readingMinutes">,
): void {
  const contents = document.querySelector<HTMLElement>(".article > .contents");
  const now = document.createElement("template");
  now.innerHTML = contentsOf(html, readingMinutes);
  const [before, after] = [contents?.querySelector("details"), now.content.querySelector("details")];
  if (!contents || linksOf(before) === linksOf(after)) return;
  if (after && before) after.open = before.open;
  keepTextAnchored(body, () => contents.replaceChildren(now.content));
}

const linksOf = (list: Element | null | undefined): string =>
  [...(list?.querySelectorAll("a") ?? [])].map((link) => `${link.hash} ${link.textContent}`).join("\n");
