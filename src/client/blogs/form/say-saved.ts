import type { NavigateFunction } from "react-router-dom";
import type { SavedBlog } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { copy } from "../../ui/copy.ts";
import { toast } from "../../ui/toasts.tsx";

/**
 * Says what became of a blog. Of one that is out it offers what leads others to it; whoever has gone elsewhere meanwhile may look at it, too:
 * all others are led there.
 */
export function saySaved(
  saved: SavedBlog,
  { title, isOut, navigate }: { title: string; isOut: boolean; navigate: NavigateFunction },
): void {
  const path = routes.blog(saved.slug);
  const url = new URL(path, location.href).href;
  const isElsewhere = !/^\/(?:add-blog$|edit\/|preview\/)/.test(location.pathname);
  const acts = [
    ...(isElsewhere ? [{ label: "View", run: () => void navigate(path) }] : []),
    { label: "Copy link", run: () => void copyAddress(url) },
    ...("share" in navigator ? [{ label: "Share", run: () => void giveOn(title, url) }] : []),
  ];
  toast({ message: saved.message, kind: "success", ...(isOut && { action: acts[0]!, another: acts[1] }) });
}

async function copyAddress(url: string): Promise<void> {
  const isCopied = await copy(url);
  toast(
    isCopied
      ? { message: "Link copied.", kind: "success" }
      : { message: `We couldn’t copy it: ${url}`, kind: "error" },
  );
}

/** To the system's own sheet. */
async function giveOn(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title, url });
  } catch (error) {
    // Put away is no failure.
    if ((error as Error).name !== "AbortError") await copyAddress(url);
  }
}
