import type { NavigateFunction } from "react-router-dom";
import type { SavedBlog } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { copy } from "../../ui/copy.ts";
import { toast } from "../../ui/toasts.tsx";

/**
 * Shows a toast after a save. For a published blog it offers to copy the link, and to view it if the author has left the form:
 * otherwise they are taken there.
 */
export function showSavedToast(
  saved: SavedBlog,
  { title, isPublished, navigate }: { title: string; isPublished: boolean; navigate: NavigateFunction },
): void {
  const path = routes.blog(saved.slug);
  const url = new URL(path, location.href).href;
  const isElsewhere = !/^\/(?:add-blog$|edit\/|preview\/)/.test(location.pathname);
  const acts = [
    ...(isElsewhere ? [{ label: "View", run: () => void navigate(path) }] : []),
    { label: "Copy link", run: () => void copyLink(url) },
    ...("share" in navigator ? [{ label: "Share", run: () => void shareLink(title, url) }] : []),
  ];
  toast({
    message: saved.message,
    kind: "success",
    ...(isPublished && { action: acts[0]!, secondAction: acts[1] }),
  });
}

async function copyLink(url: string): Promise<void> {
  const isCopied = await copy(url);
  toast(
    isCopied
      ? { message: "Link copied.", kind: "success" }
      : { message: `We couldn’t copy it: ${url}`, kind: "error" },
  );
}

async function shareLink(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title, url });
  } catch (error) {
    // Closing the sheet is no failure.
    if ((error as Error).name !== "AbortError") await copyLink(url);
  }
}
