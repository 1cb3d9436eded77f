import { Dialog } from "../ui/dialog.tsx";
import { KeyRows } from "../ui/key-rows.tsx";
import { keyTable } from "./keys.ts";

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <KeyRows rows={keyTable} />
    </Dialog>
  );
}
