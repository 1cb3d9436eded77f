import { Dialog } from "../ui/dialog.tsx";
import { KeyRows } from "../ui/key-rows.tsx";
import { modKey } from "../ui/shortcut-text.ts";
import { keyTable } from "../ui/keys.ts";

const keyName = (key: string): string => (key === "Ctrl" ? modKey() : key);

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <KeyRows rows={keyTable.map(({ keys, does }) => ({ keys: keys.map(keyName), does }))} />
      <p>You can turn single keys off in the documentation, and in your settings.</p>
    </Dialog>
  );
}
