import { elementsNamed } from "./dom.ts";

const addressNames = ["data-src", "data-lazy-src", "data-original"];

/** Gives pictures that their page loads late, with a placeholder until then, their address. */
export function straightenLazyPictures(root: Node): void {
  for (const image of elementsNamed(root, "img")) {
    const src = image.getAttribute("src")?.trim() ?? "";
    if (src && !/^data:|placeholder|blank\.gif/i.test(src)) continue;
    const address = addressOf(image)?.trim().replace(/^\/\//, "https://");
    if (address) image.setAttribute("src", address);
  }
}

function addressOf(image: Element): string | undefined {
  for (const name of addressNames) {
    const address = image.getAttribute(name);
    if (address) return address;
  }
  const widths = image.getAttribute("srcset") ?? image.getAttribute("data-srcset") ?? "";
  // The largest is last.
  return widths.split(/,\s+/).at(-1)?.trim().split(/\s+/, 1)[0];
}
