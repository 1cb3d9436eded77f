/** Code and tables that are wider than the text can be moved sideways by the keyboard too, in every browser. */
export function keepReachable(body: HTMLElement): () => void {
  const watcher = new ResizeObserver(() => {
    for (const block of body.querySelectorAll<HTMLElement>("pre, table")) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
      else block.removeAttribute("tabindex");
    }
  });
  watcher.observe(body);
  return () => watcher.disconnect();
}
