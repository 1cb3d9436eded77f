import { copy, copyFailed } from "../../ui/copy.ts";
import { toast } from "../../ui/toasts.tsx";

/** Copies the code block of a button, without its final line break. */
export async function copyCode(button: Element): Promise<void> {
  const code = button.closest(".code")?.querySelector("pre")?.textContent ?? "";
  const isCopied = await copy(code.replace(/\n$/, ""));
  toast(isCopied ? { kind: "success", message: "Code copied." } : copyFailed);
}
