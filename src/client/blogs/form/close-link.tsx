import { Link, useNavigate } from "react-router-dom";
import { Icon } from "../../ui/icon.tsx";

/** Leads back to the page before the form, if that was on this site; else to `to`. Shown on phones, which have no site header here. */
export function CloseLink({ to }: { to: string }) {
  const navigate = useNavigate();
  return (
    <Link
      className="blog-form-leave"
      to={to}
      aria-label="Close"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || !hasPageBefore()) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      <Icon name="close" size={24} />
    </Link>
  );
}

/** Whether the router of this site has an entry before the current one: it numbers them. */
function hasPageBefore(): boolean {
  const state = window.history.state as { idx?: number } | null;
  return (state?.idx ?? 0) > 0;
}
