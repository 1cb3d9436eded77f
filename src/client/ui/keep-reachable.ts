/** Code and tables that are wider than the text can be moved sideways by the keyboard too, in every browser. */
export function keepReachable(body: HTMLElement): () => void {
  const check = () => {
    for (const block of body.querySelectorAll<HTMLElement>("pre, table")) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
      else block.removeAttribute("tabindex");
    }
  };
  const watcher = new ResizeObserver(check);
  watcher.observe(body);
  // A font that comes late makes code wider and leaves the text as large as it was.
  document.fonts.addEventListener("loadingdone", check);
  return () => {
    watcher.disconnect();
    document.fonts.removeEventListener("loadingdone", check);
  };
}
