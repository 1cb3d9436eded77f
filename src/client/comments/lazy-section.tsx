import { loadOfflineQueue } from "../live/mutations/offline-queue-loader.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { lazySection } from "../ui/lazy-section.ts";
// Also for server-rendered comments without a script.
import "../ui/field.css";
import "./comments.css";

const loadSection = codeLoader(() => import("./comments-section.tsx"));

/** The section with the offline queue: most readers never open it. */
export const { Section: LazyCommentsSection, load: loadComments } = lazySection(async () => {
  const [{ CommentsSection }] = await Promise.all([loadSection(), loadOfflineQueue().catch(() => undefined)]);
  return CommentsSection;
});
