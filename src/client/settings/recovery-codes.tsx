import { useRef } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { toast } from "../ui/toasts.tsx";
import { useSite } from "../session/site.ts";
import "./settings.css";

/** Shows recovery codes, once: later only their number is known. */
export default function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const closeButton = useRef<HTMLButtonElement>(null);
  const { name } = useSite();
  const text = `Recovery codes for ${name}\n\n${codes.join("\n")}\n`;

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ kind: "success", message: "Codes copied." });
    } catch {
      toast({ kind: "error", message: "We couldn’t copy them. Please select them instead." });
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
      initialFocus={closeButton}
      actions={
        <>
          <Button onClick={() => void copy()}>
            <Icon name="copy" /> Copy
          </Button>
          <Button onClick={save}>Download</Button>
          <Button ref={closeButton} kind="primary" onClick={onClose}>
            I’ve stored them
          </Button>
        </>
      }
    >
      <p>
        Use one to sign in if you lose your app or device. Each code works once. Store them in a password
        manager; we won’t show them again.
      </p>
      <ul className="ink recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}
