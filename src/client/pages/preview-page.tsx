import { useParams } from "react-router-dom";
import { trpc } from "../api/trpc.ts";
import { ArticleContents, ArticleCover, ArticleTags, ArticleText } from "../blogs/article/body.tsx";
import { ArticleHead } from "../blogs/article/head.tsx";
import { PreviewStrip } from "../writing/preview-strip.tsx";
import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import { ViewerContext } from "../session/viewer.ts";
import type { BlogPage } from "../../shared/blogs.ts";
import type { Preview } from "../../shared/drafts.ts";
import { useNotFoundAfterRefetch, useTitle } from "./head.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import "../blogs/article/article.css";

/** The shortest time between two fetches of the preview, in milliseconds. */
const minIntervalMs = 500;

registerLiveQueries({
  "blogs.preview": liveQuery<Preview>({
    topics: ({ blog }) => [`draft:${blog.id}`, "me"],
    on: {
      "draft.committed": refetch,
      "draft.saved": refetch,
      accessLost: refetch,
      "viewer.profileChanged": refetch,
    },
    jitterMs: minIntervalMs,
  }),
});

const titleOf = ({ blog }: Preview): string => `Preview: ${blog.title}`;

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  const preview = await request.data.blogs.preview.fetch({ id: request.params.id ?? "" });
  return { title: titleOf(preview) };
}

/** An unpublished text as readers will see it, for its authors (docs/decisions/0019-drafts-and-publishing.md). */
export default function PreviewPage() {
  const { id = "" } = useParams();
  const { data: preview, error } = trpc.blogs.preview.useQuery({ id });
  useNotFoundAfterRefetch(error);
  useTitle(preview && titleOf(preview));
  if (!preview) return null;
  const blog: BlogPage = { ...preview.blog, cursor: preview.cursor };
  return (
    <div className="page article-page">
      <PreviewStrip preview={preview} />
      {/* As a guest sees it. */}
      <ViewerContext value={null}>
        <article className="article" aria-label={blog.title}>
          <ArticleHead blog={blog}>{null}</ArticleHead>
          {blog.cover && <ArticleCover cover={blog.cover} />}
          <ArticleContents html={blog.contents} />
          <ArticleText html={blog.html} language={blog.language} />
          <ArticleTags tags={blog.tags} />
        </article>
      </ViewerContext>
    </div>
  );
}
