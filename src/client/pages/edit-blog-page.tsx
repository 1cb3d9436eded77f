import { useEffect } from "react";
import { redirect, useNavigate, useNavigation, useParams } from "react-router-dom";
import type { EditableBlog } from "../../shared/blogs.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { BlogForm } from "../writing/form/blog-form.tsx";
import { PublishingLimited } from "../writing/form/notices.tsx";
import { useFormAccount, useMayWrite } from "../session/viewer.ts";
import { patch } from "../live/queries/patch.ts";
import { REFETCH, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

registerLiveQueries({
  "blogs.forEdit": liveQuery<EditableBlog>({
    topics: ({ id }) => [`card:${id}`, "me"],
    on: {
      // The form has what was written: no refetch.
      "viewer.blogsChanged": (blog, { blogId, written }) => {
        const isOtherBlog = blogId !== null && blogId !== blog.id;
        return isOtherBlog || written ? blog : REFETCH;
      },
      "blog.edited": (blog, { card }) => patch(blog, { slug: card.slug, title: card.title }),
    },
  }),
});

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  const slug = request.params.slug!;
  const blog = await request.data.blogs.forEdit.fetch({ slug });
  if (blog.slug !== slug) throw redirect(routes.edit(blog.slug), 301);
  return { title: `Edit ${blog.title}` };
}

export default function EditBlogPage() {
  const account = useFormAccount();
  const mayWrite = useMayWrite();
  const { slug = "" } = useParams();
  const { data, error } = trpc.blogs.forEdit.useQuery({ slug });
  const blog = data as EditableBlog | undefined;
  const isMoved = data !== undefined && data.slug !== slug;
  const cache = trpc.useUtils();
  const navigate = useNavigate();
  const isLeaving = useNavigation().state !== "idle";
  // The former address of a draft leads nowhere.
  useEffect(() => {
    if (!isMoved || isLeaving) return;
    cache.blogs.forEdit.setData({ slug: data.slug }, data);
    void navigate(routes.edit(data.slug), { replace: true });
  }, [isMoved, isLeaving, data, cache, navigate]);
  return (
    <div className="blog-form-page page">
      <h1 className={mayWrite ? "visually-hidden" : "blog-form-heading size-xl"}>Edit your blog</h1>
      {!mayWrite && <PublishingLimited />}
      {mayWrite && account && blog && (
        <BlogForm
          key={`${account} ${blog.id}`}
          account={account}
          blog={blog}
          isGone={blog.mine && !isMoved && errorCode(error) === "NOT_FOUND"}
        />
      )}
      {blog && (
        <p className="text-column row note mt-4">
          As it is on the site:{" "}
          {(["md", "html"] as const).map((kind) => (
            <a key={kind} href={`${routes.blog(blog.slug)}.${kind}`} download>
              {kind === "md" ? "Markdown" : "Page"}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
