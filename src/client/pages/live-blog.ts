import type { BlogPage } from "../../shared/blogs.ts";
import { defaultOrder } from "../../shared/entries.ts";
import { routes } from "../../shared/routes.ts";
import type { Data } from "../api/trpc.ts";
import { NotFound } from "./page.ts";
import type { PageFacts } from "./page.ts";
import { loadEntries } from "../entries/lazy-section.ts";

/** The source file of the section, whose style sheet the page begins with. */
const sectionFile = "src/client/entries/entries-section.tsx";

/**
 * Fetches what a live blog's page shows beside the blog, and the entry that its address names. Returns what that changes in the
 * page's head. Throws `NotFound` for a blog without entries; an address that names none makes the page a 404.
 */
export async function loadLivePage(
  blog: BlogPage,
  entryId: string | undefined,
  data: Data,
): Promise<Partial<PageFacts>> {
  const { live, slug } = blog;
  if (!live) throw new NotFound();
  const [linked] = await Promise.all([
    entryId === undefined ? undefined : data.blogs.entry.fetch({ blogId: blog.id, id: entryId }),
    // The page is useful without them: their section shows the failure and a retry.
    data.blogs.entries.fetch({ blogId: blog.id, order: defaultOrder(live) }).catch(() => undefined),
    loadEntries(),
  ]);
  const isPublic = !blog.draft && !blog.private;
  const facts: Partial<PageFacts> = {
    parts: [sectionFile],
    ...(isPublic && { feed: { title: blog.title, path: routes.blog(slug) } }),
  };
  if (entryId === undefined) return facts;
  const entry = linked?.entry;
  // Not cached: there is no end of such addresses.
  if (!entry) return { ...facts, isNotFound: true, topics: undefined };
  return {
    ...facts,
    title: `${entry.headline} · ${blog.title}`,
    description: `${blog.title}: ${entry.headline}`,
    canonical: routes.entry(slug, entry.id),
  };
}
