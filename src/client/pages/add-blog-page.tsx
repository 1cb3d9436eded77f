import { BlogForm } from "../blogs/form/blog-form.tsx";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useKnownViewer } from "../session/viewer.ts";

export function prefetch(request: PageRequest): PageFacts {
  requireViewer(request);
  return { title: "Write", unlisted: true };
}

export default function AddBlogPage() {
  const account = useKnownViewer();
  return (
    <div className="blog-form-page">
      <h1 className="blog-form-heading">Write a blog</h1>
      {account && <BlogForm key={account} account={account} blog={null} />}
    </div>
  );
}
