import { useLocation } from "react-router-dom";
import { useSite } from "../session/site.ts";
import { Icon } from "../ui/icon.tsx";
import { withNext } from "./with-next.ts";

/** "Continue with Google", if the site has credentials, and the outcome of the last attempt. Works without a script. */
export function GoogleLink() {
  const { google } = useSite();
  const query = new URLSearchParams(useLocation().search);
  if (!google) return null;
  return (
    <div className="stack gap-4">
      {query.get("google") === "failed" && (
        <p className="alert" role="alert">
          We couldn’t sign you in with Google. Please try again, or use your password.
        </p>
      )}
      {query.get("google") === "waiting" && (
        <p className="note" role="status">
          Moderators haven’t approved your account yet. We’ll email you as soon as they decide.
        </p>
      )}
      <p className="row gap-3 note auth-or">or</p>
      <a className="button target" href={withNext("/google", query.get("next"))}>
        <Icon name="google" /> Continue with Google
      </a>
    </div>
  );
}
