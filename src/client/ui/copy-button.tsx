import { useEffect, useRef, useState } from "react";
import { copy, copyFailed } from "./copy.ts";
import { Icon } from "./icon.tsx";
import { toast } from "./toasts.tsx";
import "./button.css";

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = async (): Promise<void> => {
    if (!(await copy(text))) {
      toast(copyFailed);
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button
      type="button"
      className="row center fixed note hover-ink copy-button"
      aria-label={label}
      onClick={() => void run()}
    >
      <Icon name={isCopied ? "check" : "copy"} size={18} />
      <span role="status">{isCopied ? "Copied" : ""}</span>
    </button>
  );
}
