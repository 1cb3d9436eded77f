import { Fragment } from "react";
import { Link } from "../ui/link.tsx";
import type { BlogCard } from "../../shared/blogs.ts";
import { routes } from "../../shared/routes.ts";

/** Links to the authors; beyond `most` co-authors, to the first one, with the number of others. */
export function AuthorLinks({
  blog: { author, coAuthors = [] },
  most = 8,
}: {
  blog: WithAuthors;
  most?: number;
}) {
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

type WithAuthors = Pick<BlogCard, "author" | "coAuthors">;
