import { useState } from "react";
import { useViewer } from "../users/viewer.ts";

/** The account that this form belongs to: the one it was opened with, also when its session ends while somebody writes. */
export function useKnownViewer(): string | null {
  const viewer = useViewer();
  const [account] = useState(viewer?.id ?? null);
  return account ?? viewer?.id ?? null;
}
