import { useLocation } from "react-router-dom";
import { useSite } from "../session/site.ts";
import { Icon } from "../ui/icon.tsx";
import { withNext } from "./with-next.ts";

/** "Continue with Google", where the site has its credentials; also what became of a try that failed. Works without a script. */
export function GoogleLink() {
  const { google } = useSite();
  const query = new URLSearchParams(useLocation().search);
  if (!google) return null;
  return (
    <div className="auth-google">
      {query.get("google") === "failed" && (
        <p className="auth-problem" role="alert">
          Google did not sign you in. Please try again, or use your password.
        </p>
      )}
      {query.get("google") === "waiting" && (
        <p className="auth-note" role="status">
          The moderators look at who joins. They have not let you in yet, and write to you as soon as they
          have decided.
        </p>
      )}
      <p className="auth-or">or</p>
      <a className="button button-plain auth-submit" href={withNext("/google", query.get("next"))}>
        <Icon name="google" /> Continue with Google
      </a>
    </div>
  );
}
