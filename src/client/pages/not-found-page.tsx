import { Form, useLocation, useRevalidator } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { BlogList } from "../blogs/cards/blog-list.tsx";
import { useLiveEvents, useTopic } from "../live/live.ts";
import { SearchField } from "../search/search-box.tsx";
import { LinkButton } from "../ui/button.tsx";
import { useViewer } from "../session/viewer.ts";
import "../blogs/blog-queries.ts";
import "../search/search.css";
import "./problem-page.css";

const maxRecent = 3;

/** For pages that do not exist or that the viewer cannot see; it does not say which. */
export default function NotFoundPage() {
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  // load-page.ts has fetched it.
  const recent =
    trpc.blogs.list.useQuery({ page: 1, sort: "latest" }, { retryOnMount: false }).data?.blogs ?? [];
  const slug = /^\/blog\/([^/]+)\/*$/i.exec(pathname)?.[1];
  const address = slug && !/\s/.test(slug) && slug.length <= 200 ? (`address:${slug}` as const) : null;
  useTopic(address);
  useLiveEvents((event, topic) => {
    if (event.kind === "accessRestored" && topic === address) void revalidate();
  });
  return (
    <div className="page stack gap-4 start problem">
      <p className="problem-sign" aria-hidden="true">
        404
      </p>
      <h1>Page not found</h1>
      <p className="muted size-l problem-text">
        This page may have moved, be private, or never have existed.
      </p>
      <Form className="row muted field-search search-box problem-search" role="search" action="/search">
        {/* The key / clicks it (ui/keys.ts). */}
        <SearchField onClick={({ currentTarget }) => currentTarget.focus()} />
      </Form>
      <div className="row wrap gap-3">
        <LinkButton kind="primary" to={routes.home()}>
          Go to the home page
        </LinkButton>
        {!viewer && <LinkButton to={routes.signIn(pathname + search)}>Sign in and try again</LinkButton>}
      </div>
      {recent.length > 0 && (
        <section className="problem-recent" aria-labelledby="recent">
          <h2 id="recent" className="title-xl">
            Recent blogs
          </h2>
          <BlogList blogs={recent.slice(0, maxRecent)} />
        </section>
      )}
    </div>
  );
}
