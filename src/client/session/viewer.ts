import { createContext, useContext, useState } from "react";
import type { Viewer } from "../../shared/users.ts";
import { useSite } from "./site.ts";

/** What the frame around every page knows, once for all that is drawn in it: a query for each button would cost more than the button. */
export const ViewerContext = createContext<Viewer | null>(null);

/** Who is signed in, or null. The page brings the answer along; sign-in, sign-out and the live stream change it. */
export const useViewer = (): Viewer | null => useContext(ViewerContext);

/** Whether whoever looks may write; guests are asked to sign in first. */
export function useMayWrite(): boolean {
  const viewer = useViewer();
  const { writersChosen } = useSite();
  return !writersChosen || viewer?.writer !== false;
}

/** The account that a form belongs to, also when its session ends while somebody writes; somebody else's has another form. */
export function useKnownViewer(): string | null {
  const viewer = useViewer();
  const [account, setAccount] = useState(viewer?.id ?? null);
  if (viewer && viewer.id !== account) setAccount(viewer.id);
  return account;
}
