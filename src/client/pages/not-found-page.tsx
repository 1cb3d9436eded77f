import { useLocation, useRevalidator } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import { useLiveEvents, useTopic } from "../live/live.ts";
import { LinkButton } from "../ui/button.tsx";
import { useViewer } from "../session/viewer.ts";
import "./problem-page.css";

/** For pages that do not exist or that the viewer cannot see; it does not say which. */
export default function NotFoundPage() {
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const slug = /^\/blog\/([^/]+)\/*$/i.exec(pathname)?.[1];
  const address = slug && !/\s/.test(slug) && slug.length <= 200 ? (`address:${slug}` as const) : null;
  useTopic(address);
  useLiveEvents((event, topic) => {
    if (event.kind === "accessRestored" && topic === address) void revalidate();
  });
  return (
    <div className="page problem">
      <p className="problem-sign" aria-hidden="true">
        404
      </p>
      <h1>Page not found</h1>
      <p className="problem-text">This page may have moved, be private, or never have existed.</p>
      <div className="problem-actions">
        <LinkButton kind="primary" to={routes.home()}>
          Go to the home page
        </LinkButton>
        {viewer ? (
          <LinkButton to="/search">Search</LinkButton>
        ) : (
          <LinkButton to={routes.signIn(pathname + search)}>Sign in and try again</LinkButton>
        )}
      </div>
    </div>
  );
}
