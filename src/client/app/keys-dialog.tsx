import { Link } from "../ui/link.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { KeyRows } from "../ui/key-rows.tsx";
import { modKey } from "../ui/shortcut-text.ts";
import { keyTable } from "../ui/keys.ts";

const keyName = (key: string): string => (key === "Ctrl" ? modKey() : key);

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <p>
        <Link to="/docs#keys" onClick={onClose}>
          Turn single keys off
        </Link>
      </p>
      <KeyRows rows={keyTable.map(({ keys, does }) => ({ keys: keys.map(keyName), does }))} />
    </Dialog>
  );
}
