import type { IconName } from "../../ui/icon.tsx";
import "./enlarge.css";

/** Shows a picture of a text in full size, with keys and buttons for the others. Escape or a click closes it. */
export function enlarge(target: Element): void {
  const text = target.closest(".prose");
  const button = target.matches(".figure-open") ? target : target.nextElementSibling;
  if (!text || !(button instanceof HTMLElement)) return;
  // Queried each time: the text may be updated meanwhile.
  const pictures = () => [...text.querySelectorAll<HTMLElement>(".figure-open")].map(pictureOf);
  let shown = pictures().indexOf(pictureOf(button));

  const frame = newElement("div", { className: "enlarged-picture" });
  const captionElement = newElement("p", { className: "enlarged-words", dir: "auto" });
  const count = newElement("span", { className: "enlarged-count tabular", role: "status" });
  const createButton = (name: string, icon: IconName, ariaLabel: string, onclick: () => void) => {
    const className = `icon-button round enlarged-${name}`;
    const control = newElement("button", { type: "button", className, ariaLabel, onclick });
    control.insertAdjacentHTML(
      "beforeend",
      `<svg class="icon" width="24" height="24" aria-hidden="true"><use href="#icon-${icon}"/></svg>`,
    );
    return control;
  };
  const show = (index: number) => {
    const all = pictures();
    const picture = all[(index + all.length) % all.length];
    if (!picture) return;
    shown = all.indexOf(picture);
    const { alt, width, height, currentSrc } = picture;
    const large = newElement("img", { src: largestSource(picture), alt });
    // Until it loads, the picture from the text is shown in its place.
    if (picture.naturalWidth > 0) {
      large.width = Number(picture.getAttribute("width")) || width;
      large.height = Number(picture.getAttribute("height")) || height;
      large.style.backgroundImage = `url("${currentSrc}")`;
      large.onload = () => large.style.removeProperty("background-image");
    }
    frame.replaceChildren(large);
    const caption = picture.closest("figure")?.querySelector("figcaption");
    const copy = caption?.cloneNode(true) as Element | undefined;
    for (const named of copy?.querySelectorAll("[id]") ?? []) named.removeAttribute("id");
    captionElement.replaceChildren(...(copy?.childNodes ?? []));
    captionElement.hidden = !copy;
    count.textContent = `${shown + 1} of ${all.length}`;
    dialog.toggleAttribute("data-alone", all.length < 2);
  };
  const dialog = newElement("dialog", { className: "enlarged", ariaLabel: "Picture" });
  dialog.append(
    frame,
    captionElement,
    count,
    createButton("previous", "chevron-left", "Previous picture", () => show(shown - 1)),
    createButton("next", "chevron-right", "Next picture", () => show(shown + 1)),
    createButton("close", "close", "Close", () => dialog.close()),
  );
  const language = text.getAttribute("lang");
  if (language) captionElement.lang = frame.lang = language;
  dialog.addEventListener("click", ({ target: clicked }) => {
    if (!(clicked as Element).closest("button, a, .enlarged-words")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(shown + (getComputedStyle(dialog).direction === "rtl" ? -step : step));
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    button.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  show(shown);
  dialog.showModal();
}

const newElement = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] => Object.assign(document.createElement(name), properties);

const pictureOf = (button: HTMLElement) => button.previousElementSibling as HTMLImageElement;

function largestSource({ src, srcset }: HTMLImageElement): string {
  const widths = srcset.split(/,\s+/).map((one) => /^(\S+)\s+(\d+)w$/.exec(one.trim()));
  const [largest] = widths
    .filter((found) => found !== null)
    .toSorted((one, other) => Number(other[2]) - Number(one[2]));
  return largest?.[1] ?? src;
}
