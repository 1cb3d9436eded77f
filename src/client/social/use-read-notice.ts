import type { NoticeGroup } from "../../shared/social.ts";
import { trpc } from "../api/trpc.ts";
import { oneRead } from "./notices.ts";

/** Marks an entry as read: here at once, in the other tabs by their streams. A mark is not worth an error: where it fails it comes back. */
export function useReadNotice(): (entry: Pick<NoticeGroup, "kind" | "target">) => void {
  const { client, social } = trpc.useUtils();
  return ({ kind, target }) => {
    social.notices.setData(undefined, (known) => known && oneRead(known, { kind, target }));
    client.social.readNotices
      .mutate({ only: { kind, target } })
      .catch(() => void social.notices.invalidate());
  };
}
