import { hueOf } from "../../../../shared/initials.ts";
import type { LinkedBlog } from "../../../../shared/linked-blogs.ts";
import { routes } from "../../../../shared/routes.ts";
import { focusPosition } from "../../cards/picture-props.ts";
import { coverPaint, drawCoverFor } from "../../cards/cover-drawings.ts";
import "./render-linked-card.css";

/** Renders a linked blog's card into its placeholder, at most as high as what was there. */
export function renderLinkedCard(
  place: Element,
  { slug, title, author, readingMinutes, cover, language }: LinkedBlog,
): void {
  const picture = cover ? coverImage(cover) : generatedCover(title);
  const words = newElement("span", "linked-words");
  const name = newElement("strong", "linked-title line-clamp", title);
  name.dir = "auto";
  if (language) name.lang = language;
  words.append(name, newElement("small", "clip", `${author} · ${readingMinutes} min read`));
  // The blog's current address, on this site.
  if (place instanceof HTMLAnchorElement) place.href = routes.blog(slug);
  place.replaceChildren(picture, words);
}

function newElement(tag: string, className: string, text = ""): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function coverImage(cover: NonNullable<LinkedBlog["cover"]>): Element {
  const { src, srcset, color } = cover;
  const image = document.createElement("img");
  image.className = "linked-cover";
  image.alt = "";
  image.decoding = "async";
  image.sizes = "10rem";
  if (srcset) image.srcset = srcset;
  image.src = src;
  image.style.backgroundColor = color;
  image.style.objectPosition = focusPosition(cover) ?? "";
  return image;
}

/** The same as `GeneratedCover`, without React. */
function generatedCover(title: string): Element {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "linked-cover drawn");
  svg.setAttribute("viewBox", "0 0 120 80");
  svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
  svg.setAttribute("fill", "currentColor");
  svg.setAttribute("stroke-width", "0.6");
  svg.setAttribute("aria-hidden", "true");
  svg.style.setProperty("--hue", String(hueOf(title)));
  for (const [form, d] of Object.entries(drawCoverFor(title))) {
    const path = document.createElementNS(svg.namespaceURI, "path");
    const paint = { d, ...coverPaint[form as keyof typeof coverPaint] };
    for (const [name, value] of Object.entries(paint)) path.setAttribute(name, String(value));
    svg.append(path);
  }
  return svg;
}
