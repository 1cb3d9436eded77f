/** Replaces a video's card with its player: only then does the page load from another site. */
export function playVideo(card: HTMLElement): void {
  const frame = document.createElement("iframe");
  frame.src = card.dataset.frame!;
  frame.title = card.querySelector("strong")?.textContent ?? "Video";
  frame.allow = "autoplay; encrypted-media; fullscreen; picture-in-picture";
  // The player requires a referrer; it gets the site's origin only.
  frame.referrerPolicy = "strict-origin-when-cross-origin";
  card.replaceChildren(frame);
  frame.focus();
}
