import { useId } from "react";
import { Link } from "../ui/link.tsx";
import type { AuthorInvitation } from "../../shared/authors.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { RelativeTime } from "../ui/time.tsx";
import { InvitationActions } from "./invitation-actions.tsx";
import "./author-queries.ts";
import "./authors.css";

export function Invitations() {
  const { data } = trpc.blogs.invitations.useQuery();
  if (!data || data.invitations.length === 0) return null;
  return (
    <section className="invitations stack gap-2 hairline-bottom" aria-labelledby="invitations">
      <h2 id="invitations" className="size-l">
        Invitations
      </h2>
      <ul className="stack gap-2">
        {data.invitations.map((invitation) => (
          <Invitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}

function Invitation({ invitation: { id, title, by, at } }: { invitation: AuthorInvitation }) {
  const textId = useId();
  return (
    <li className="row wrap between gap-2-4">
      <p id={textId}>
        <Link to={routes.profile(by.username)}>
          <bdi>{by.name}</bdi>
        </Link>{" "}
        invites you to write{" "}
        {title ? (
          <>
            “<bdi>{title}</bdi>”
          </>
        ) : (
          "a new blog"
        )}{" "}
        with them{" "}
        <span className="note">
          <RelativeTime at={at} />
        </span>
      </p>
      <InvitationActions id={id} describedBy={textId} />
    </li>
  );
}
