import type { NoticeName } from "../../shared/social.ts";
import { readNotices } from "./news-acts.ts";
import { useDo } from "../live/use-do.ts";

/** Marks an entry as read. */
export function useReadNotice(): (entry: NoticeName) => void {
  const act = useDo();
  return ({ kind, target }) => void act(readNotices, { only: { kind, target } });
}
