import { routes } from "../../shared/routes.ts";
import { LinkButton } from "../ui/button.tsx";
import "./problem-page.css";

export default function NotFoundPage() {
  return (
    <div className="page problem">
      <p className="problem-sign" aria-hidden="true">
        404
      </p>
      <h1>There is nothing here</h1>
      <p className="problem-text">The page may have moved, may be private, or may never have been. What you can read is on the home page.</p>
      <LinkButton kind="primary" to={routes.home()}>
        Go to the home page
      </LinkButton>
    </div>
  );
}
