import { elementsNamed } from "./dom.ts";

/** Gives pictures that their page loads late their address. */
export function straightenLazyPictures(root: Node): void {
  for (const image of elementsNamed(root, "img")) {
    const address = lazyPictureAddress((name) => image.getAttribute(name));
    if (address) image.setAttribute("src", address.replace(/^\/\//, "https://"));
  }
}

const addressNames = ["data-src", "data-lazy-src", "data-original"];

/** Returns the address of a picture that its page loads late, with a placeholder until then; undefined for others. */
function lazyPictureAddress(attribute: (name: string) => string | null | undefined): string | undefined {
  const src = attribute("src")?.trim();
  if (src && !/^data:|placeholder|blank\.gif/i.test(src)) return undefined;
  const address = addressNames.map(attribute).find(Boolean);
  if (address) return address.trim();
  // The largest is last.
  const widths = (attribute("srcset") ?? attribute("data-srcset") ?? "").split(/,\s+/);
  return widths.at(-1)?.trim().split(/\s+/, 1)[0] || undefined;
}
