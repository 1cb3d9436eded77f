/** Puts what plays a video in the place of its card: the first that is loaded from elsewhere, since somebody has asked for it. */
export function play(card: HTMLElement): void {
  const frame = document.createElement("iframe");
  frame.src = card.dataset.frame!;
  frame.title = card.querySelector("strong")?.textContent ?? "Video";
  frame.allow = "autoplay; encrypted-media; fullscreen; picture-in-picture";
  // It asks who shows it, and is told the site alone.
  frame.referrerPolicy = "strict-origin-when-cross-origin";
  card.replaceChildren(frame);
  frame.focus();
}
