import { useQueryClient } from "@tanstack/react-query";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { rememberUser } from "./stored-user.ts";

/** Shows the account as the server has it after a change; pages that were read before it ask again when they are next shown. */
export function useTakeViewer(): (viewer: Viewer) => void {
  const { users } = trpc.useUtils();
  const queryClient = useQueryClient();
  return (viewer) => {
    // The answer came after the session had ended: it is nobody's here any more.
    if (users.me.getData()?.session !== viewer.session) return;
    users.me.setData(undefined, viewer);
    rememberUser(viewer);
    void queryClient.invalidateQueries({
      refetchType: "none",
      predicate: ({ queryKey: [path] }) =>
        !(Array.isArray(path) && path[0] === "users" && path[1] !== "profile"),
    });
  };
}
