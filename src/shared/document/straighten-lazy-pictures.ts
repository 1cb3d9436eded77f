import { elementsNamed } from "./dom.ts";
import { lazyPictureAddress } from "./lazy-picture.ts";

/** Gives pictures that their page loads late their address. */
export function straightenLazyPictures(root: Node): void {
  for (const image of elementsNamed(root, "img")) {
    const address = lazyPictureAddress((name) => image.getAttribute(name));
    if (address) image.setAttribute("src", address.replace(/^\/\//, "https://"));
  }
}
