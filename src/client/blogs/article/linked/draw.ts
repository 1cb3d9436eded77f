import { hueOf } from "../../../../shared/drawn.ts";
import type { LinkedBlog } from "../../../../shared/linked-blogs.ts";
import { routes } from "../../../../shared/routes.ts";
import { positionOf } from "../../cards/picture-props.ts";
import { drawingOf } from "../../cards/drawn-forms.ts";
import "../../cards/drawn-cover.css";
import "./linked.css";

/** Draws the card of a blog of the site into the place that a text has for it: no higher than what stood there. */
export function drawLinked(
  place: Element,
  { slug, title, author, readingMinutes, cover, language }: LinkedBlog,
): void {
  const picture = cover ? coverOf(cover) : drawnCover(title);
  const words = made("span", "linked-words");
  const name = made("strong", "linked-title", title);
  name.dir = "auto";
  if (language) name.lang = language;
  words.append(name, made("small", "", `${author} · ${readingMinutes} min read`));
  // Its own address now, on this very site.
  if (place instanceof HTMLAnchorElement) place.href = routes.blog(slug);
  place.replaceChildren(picture, words);
}

function made(tag: string, className: string, text = ""): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function coverOf(cover: NonNullable<LinkedBlog["cover"]>): Element {
  const { src, srcset, color } = cover;
  const image = document.createElement("img");
  image.className = "linked-cover";
  image.alt = "";
  image.decoding = "async";
  image.sizes = "10rem";
  if (srcset) image.srcset = srcset;
  image.src = src;
  image.style.backgroundColor = color;
  image.style.objectPosition = positionOf(cover) ?? "";
  return image;
}

/** As `DrawnCover` is, which React draws. */
function drawnCover(title: string): Element {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "linked-cover drawn-cover drawn");
  svg.setAttribute("viewBox", "0 0 120 80");
  svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
  svg.setAttribute("aria-hidden", "true");
  svg.style.setProperty("--hue", String(hueOf(title)));
  for (const [form, d] of Object.entries(drawingOf(title))) {
    const path = document.createElementNS(svg.namespaceURI, "path");
    path.setAttribute("d", d as string);
    if (form !== "full") path.setAttribute("class", `drawn-cover-${form}`);
    svg.append(path);
  }
  return svg;
}
