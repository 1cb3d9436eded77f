import { codeLoader } from "../ui/fetch-code.ts";
import { loadOfflineQueue } from "../live/mutations/offline-queue-loader.ts";
import { lazySection } from "../ui/lazy-section.ts";

const loadSection = codeLoader(() => import("./entries-section.tsx"));

export const sectionId = "entries";

/** The entries of a live blog; other blogs load nothing of them. */
export const { Section: LazyEntriesSection, load: loadEntries } = lazySection(async () => {
  const [{ EntriesSection }] = await Promise.all([loadSection(), loadOfflineQueue().catch(() => undefined)]);
  return EntriesSection;
});
