import { Link } from "../../../ui/link.tsx";
import type { Further, FurtherBlog } from "../../../../shared/further.ts";
import { routes } from "../../../../shared/routes.ts";
import { Icon } from "../../../ui/icon.tsx";
import { AuthorLinks } from "../../author-links.tsx";
import { CardCover } from "../../cards/cover.tsx";

export function Neighbours({ further: { authors, blogs } }: { further: Further }) {
  const [previous, next] = (["previous", "next"] as const).map((place) =>
    blogs.find((blog) => blog.place === place),
  );
  if (!previous && !next) return null;
  return (
    <nav className="end-neighbours" aria-label={`More by ${authors[0]?.name ?? "its author"}`}>
      {previous && (
        <Link to={routes.blog(previous.slug)} className="end-neighbour stack gap-1" rel="prev">
          <span className="row gap-1 note">
            <Icon name="chevron-left" size={16} /> Previous
          </span>
          <span className="end-title" dir="auto">
            {previous.title}
          </span>
        </Link>
      )}
      {next && (
        <Link to={routes.blog(next.slug)} className="end-neighbour end-next stack gap-1" rel="next">
          <span className="row gap-1 note">
            Next <Icon name="chevron-right" size={16} />
          </span>
          <span className="end-title" dir="auto">
            {next.title}
          </span>
        </Link>
      )}
    </nav>
  );
}

export function Related({ further: { blogs } }: { further: Further }) {
  const related = blogs.filter(({ place }) => place === "related");
  if (related.length === 0) return null;
  return (
    <section className="stack gap-5" aria-labelledby="end-related-title">
      <h2 id="end-related-title" className="size-xl">
        Read on
      </h2>
      <ul className="end-cards">
        {related.map((blog) => (
          <li key={blog.id}>
            <RelatedCard blog={blog} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RelatedCard({ blog }: { blog: FurtherBlog }) {
  const { slug, title, readingMinutes } = blog;
  const address = routes.blog(slug);
  return (
    <article className="end-card stack gap-2" data-item>
      <Link to={address} className="thumbnail" tabIndex={-1} aria-hidden="true">
        <CardCover blog={blog} sizes="(min-width: 48rem) 18rem, 8rem" loading="lazy" />
      </Link>
      <h3 className="end-title">
        <Link to={address} className="plain-link" dir="auto" data-main>
          {title}
        </Link>
      </h3>
      <p className="byline wrap">
        <span className="names">
          <AuthorLinks blog={blog} most={2} />
        </span>
        <span>{readingMinutes} min read</span>
      </p>
    </article>
  );
}
