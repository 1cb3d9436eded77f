import type { EditableBlog } from "../../shared/blogs.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Redirect, requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { BlogForm } from "../blogs/form/blog-form.tsx";
import { MayNotWrite } from "../blogs/form/may-not-write.tsx";
import { useKnownViewer, useMayWrite } from "../session/viewer.ts";
import "../blogs/kept.ts";
import { useParams } from "../ui/location.ts";

export async function prefetch(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  const slug = request.params.slug!;
  const blog = await request.data.blogs.forEdit.fetch({ slug });
  if (blog.slug !== slug) throw new Redirect(routes.edit(blog.slug), { permanent: true });
  return { title: `Edit ${blog.title}`, unlisted: true };
}

export default function EditBlogPage() {
  const account = useKnownViewer();
  const mayWrite = useMayWrite();
  const { slug = "" } = useParams();
  const { data, error } = trpc.blogs.forEdit.useQuery({ slug });
  const blog = data as EditableBlog | undefined;
  return (
    <div className="blog-form-page">
      <h1 className="blog-form-heading">Edit your blog</h1>
      {!mayWrite && <MayNotWrite />}
      {mayWrite && account && blog && (
        <BlogForm
          key={`${account} ${blog.id}`}
          account={account}
          blog={blog}
          isGone={errorCode(error) === "NOT_FOUND"}
        />
      )}
    </div>
  );
}
