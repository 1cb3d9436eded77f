import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";

/** Who is signed in, or null. The page brings the answer along; sign-in, sign-out and the live stream change it. */
export function useViewer(): Viewer | null {
  return trpc.users.me.useQuery().data ?? null;
}
