import { createContext, useContext, useState } from "react";
import type { Viewer } from "../../shared/users.ts";
import { useSite } from "./site.ts";

/** Provided once by the page's frame: a query in each button would cost more than the button. */
export const ViewerContext = createContext<Viewer | null>(null);

/** Returns the viewer; null for a guest. Comes with the page; sign-in, sign-out and the live stream change it. */
export const useViewer = (): Viewer | null => useContext(ViewerContext);

/** Whether the viewer can publish; true for guests, who are asked to sign in first. */
export function useMayWrite(): boolean {
  const viewer = useViewer();
  const { writersChosen } = useSite();
  return !writersChosen || viewer?.writer !== false;
}

/** Returns the account that a form belongs to, also after its session has ended, until another account signs in. */
export function useFormAccount(): string | null {
  const viewer = useViewer();
  const [account, setAccount] = useState(viewer?.id ?? null);
  if (viewer && viewer.id !== account) setAccount(viewer.id);
  return account;
}
