import { useRef } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { toast } from "../ui/toasts.tsx";
import { useSite } from "../session/site.ts";
import "./access.css";

/** Recovery codes, this once: what is left of them here is how many. */
export default function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const kept = useRef<HTMLButtonElement>(null);
  const { name } = useSite();
  const text = `Recovery codes for ${name}\n\n${codes.join("\n")}\n`;

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ kind: "success", message: "The codes are copied." });
    } catch {
      toast({ kind: "error", message: "They could not be copied. Please select them." });
    }
  };
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    Object.assign(document.createElement("a"), { href: address, download: "recovery-codes.txt" }).click();
    URL.revokeObjectURL(address);
  };
  return (
    <Dialog
      title="Your recovery codes"
      onClose={onClose}
      initialFocus={kept}
      actions={
        <>
          <Button onClick={() => void copy()}>
            <Icon name="copy" /> Copy
          </Button>
          <Button onClick={save}>Download</Button>
          <Button ref={kept} kind="primary" onClick={onClose}>
            I have kept them
          </Button>
        </>
      }
    >
      <p>
        Each signs you in once where you have lost your app or your device. They are shown now and never
        again: keep them where you keep what you must not lose.
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}
