import { copy } from "../../../ui/copy.ts";
import { toast } from "../../../ui/toasts.tsx";

/** Gives a blog's address to the system's own sheet where there is one; copies it elsewhere, and says so. */
export async function share({ title }: { title: string }): Promise<void> {
  const url = location.origin + location.pathname;
  // A sheet on a phone; on a desk most of them offer little.
  if ("share" in navigator && matchMedia("(pointer: coarse)").matches)
    try {
      return await navigator.share({ title, url });
    } catch (error) {
      // Put away by the reader.
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
