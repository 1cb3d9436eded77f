import { copy } from "../../../ui/copy.ts";
import { toast } from "../../../ui/toasts.tsx";

/** Shares the page, or a path of the site, by the system's sheet on touch devices; elsewhere copies its address. */
export async function share({
  title,
  path = location.pathname,
}: {
  title: string;
  path?: string;
}): Promise<void> {
  const url = location.origin + path;
  // On desktops the sheet offers little.
  if ("share" in navigator && matchMedia("(pointer: coarse)").matches)
    try {
      return await navigator.share({ title, url });
    } catch (error) {
      // The reader closed the sheet.
      if ((error as Error).name === "AbortError") return;
    }
  const isCopied = await copy(url);
  toast(
    isCopied
      ? { kind: "success", message: "Link copied." }
      : {
          kind: "error",
          message: "We couldn’t copy it. Copy it from the address bar instead.",
        },
  );
}
