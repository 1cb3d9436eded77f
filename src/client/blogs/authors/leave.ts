import { confirm } from "../../ui/confirm.tsx";

/** Asks a co-author whether they are sure to write a blog no more. */
export const askToLeave = (title: string, owner: string): Promise<boolean> =>
  confirm({
    title: "Leave this blog?",
    body: `You can’t write “${title}” any more, and your name leaves it. What you wrote stays in it. Only ${owner} can invite you again.`,
    action: "Leave",
    danger: true,
  });
