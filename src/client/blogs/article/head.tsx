import type { ReactNode } from "react";
import { Link } from "../../ui/link.tsx";
import { audienceLabels } from "../../../shared/audience.ts";
import type { BlogPage } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { FollowButton } from "../../profiles/follow-button.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { DateText, ShortDateText } from "../../ui/time.tsx";
import { useViewer } from "../../session/viewer.ts";
import { AuthorLinks } from "../author-links.tsx";
import { OwnerActions } from "./owner-actions.tsx";

const BlogMenu = onDemand(() => import("./blog-menu.tsx"));

/** An article's title, description, byline and edit buttons, with `children` below. */
export function ArticleHead({ blog, children }: { blog: BlogPage; children: ReactNode }) {
  const { author, coAuthors = [] } = blog;
  const viewer = useViewer();
  return (
    <header className="article-head stack gap-4">
      {(blog.draft || blog.private) && (
        <p className="article-badges row">
          {blog.draft && (
            <span className="article-badge row round muted">
              <Icon name="draft" size={14} /> {audienceLabels.nobody}
            </span>
          )}
          {blog.private && (
            <span className="article-badge row round muted">
              <Icon name="lock" size={14} /> {audienceLabels.followers}
            </span>
          )}
        </p>
      )}
      <h1 className="article-title p-name" dir="auto" lang={blog.language}>
        {blog.title}
      </h1>
      {blog.description && (
        <p className="article-description muted p-summary" dir="auto" lang={blog.language}>
          {blog.description}
        </p>
      )}
      <div className="article-byline row wrap gap-3">
        {[author, ...coAuthors].slice(0, 3).map((person) => (
          <Link
            key={person.id}
            to={routes.profile(person.username)}
            className="article-portrait round"
            tabIndex={-1}
            aria-hidden="true"
          >
            <Avatar person={person} size={44} />
          </Link>
        ))}
        <div className="article-facts">
          <p className="article-author">
            <AuthorLinks blog={blog} />
          </p>
          <p className="article-when note">
            <DateText at={blog.publishedAt} className="dt-published" /> <span aria-hidden="true">·</span>{" "}
            {blog.readingMinutes} min read
            {blog.editedAt && !blog.draft && (
              <>
                {" "}
                <span aria-hidden="true">·</span>{" "}
                <span className="article-edited">
                  edited <ShortDateText at={blog.editedAt} className="dt-updated" />
                </span>
              </>
            )}
          </p>
          {/* For programs that read the page's microformats. */}
          <Link to={routes.blog(blog.slug)} className="u-url" hidden>
            {blog.title}
          </Link>
        </div>
        {blog.writes ? <OwnerActions blog={blog} /> : <FollowButton person={author} status={blog.follow} />}
        {viewer && !blog.draft && (
          <span className="article-more">
            <BlogMenu blog={blog} />
          </span>
        )}
      </div>
      {children}
    </header>
  );
}
