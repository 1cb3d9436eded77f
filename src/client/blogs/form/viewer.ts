import { useState } from "react";
import { useViewer } from "../../session/viewer.ts";

/** The account that a form belongs to, also when its session ends while somebody writes; somebody else's has another form. */
export function useKnownViewer(): string | null {
  const viewer = useViewer();
  const [account, setAccount] = useState(viewer?.id ?? null);
  if (viewer && viewer.id !== account) setAccount(viewer.id);
  return account;
}
