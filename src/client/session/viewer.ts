import { useState } from "react";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";

/** Who is signed in, or null. The page brings the answer along; sign-in, sign-out and the live stream change it. */
export function useViewer(): Viewer | null {
  return trpc.users.me.useQuery().data ?? null;
}

/** The account that a form belongs to, also when its session ends while somebody writes; somebody else's has another form. */
export function useKnownViewer(): string | null {
  const viewer = useViewer();
  const [account, setAccount] = useState(viewer?.id ?? null);
  if (viewer && viewer.id !== account) setAccount(viewer.id);
  return account;
}
