import type { Sort } from "../../../shared/blogs.ts";
import { trpc } from "../../api/trpc.ts";
import { askAnew } from "../../live/live.ts";

/** Shows a page of the feed as it is now, with what waited behind its button. */
export const showFresh = (input: { page: number; sort: Sort }): Promise<void> =>
  askAnew(trpc.blogs.list.key(input));
