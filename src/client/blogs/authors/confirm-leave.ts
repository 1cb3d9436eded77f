import { confirm } from "../../ui/confirm.tsx";

export const confirmLeave = (title: string, owner: string): Promise<boolean> =>
  confirm({
    title: "Leave this blog?",
    body: `You’ll no longer be able to write “${title}”, and we’ll remove your name from it. What you wrote stays in it. Only ${owner} can invite you again.`,
    action: "Leave",
    danger: true,
  });
