/** Lets the keyboard scroll wide code and tables sideways in every browser. Returns how to stop it. */
export function makeOverflowFocusable(body: HTMLElement): () => void {
  const check = () => {
    for (const block of body.querySelectorAll<HTMLElement>("pre, table")) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
      else block.removeAttribute("tabindex");
    }
  };
  const observer = new ResizeObserver(check);
  observer.observe(body);
  // A late font makes code wider without resizing the body.
  document.fonts.addEventListener("loadingdone", check);
  return () => {
    observer.disconnect();
    document.fonts.removeEventListener("loadingdone", check);
  };
}
