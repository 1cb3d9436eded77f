import { Fragment } from "react";
import { Link } from "react-router-dom";
import type { BlogCard } from "../../shared/blogs.ts";
import { routes } from "../../shared/routes.ts";

/** Who wrote a blog, each a link to their profile; where there are more than `most` the first, and how many others. */
export function By({ blog: { author, coAuthors = [] }, most = 8 }: { blog: Of; most?: number }) {
  const others = coAuthors.length;
  return [author, ...(others < most ? coAuthors : [])].map(({ id, username, name }, at, { length }) => (
    <Fragment key={id}>
      {at > 0 && (at === others ? " and " : ", ")}
      <Link to={routes.profile(username)} className="p-author h-card">
        <bdi>{name}</bdi>
      </Link>
      {length <= others && ` and ${others} others`}
    </Fragment>
  ));
}

type Of = Pick<BlogCard, "author" | "coAuthors">;
