import { Link } from "../ui/link.tsx";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { updateViewer } from "../session/session.ts";
import { useSite } from "../session/site.ts";
import { Button } from "../ui/button.tsx";
import "./settings.css";

/** Shows that the site's terms have changed until the viewer confirms having seen it. */
export default function ChangedTexts({ viewer }: { viewer: Viewer }) {
  const { terms, privacy } = useSite();
  // After a failure the button can be pressed again.
  const markSeen = trpc.users.sawTexts.useMutation({
    onSuccess: (answer) => updateViewer({ ...viewer, ...answer }),
  });
  const isNew = (since: string | null) => since !== null && since > viewer.textsSeenAt;
  const changed = [
    ...(isNew(terms) ? [{ href: "/terms", name: "terms" }] : []),
    ...(isNew(privacy) ? [{ href: "/privacy", name: "privacy page" }] : []),
  ];
  return (
    <aside className="popup row wrap gap-2-4 between small changed-texts" aria-label="Changed terms">
      <p>
        The site’s{" "}
        {changed.map(({ href, name }, index) => (
          <span key={href}>
            {index > 0 && " and "}
            <Link to={href}>{name}</Link>
          </span>
        ))}{" "}
        changed.
      </p>
      <Button size="s" busy={markSeen.isPending} onClick={() => markSeen.mutate()}>
        I have seen it
      </Button>
    </aside>
  );
}
