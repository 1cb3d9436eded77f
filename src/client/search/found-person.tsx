import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { FoundPerson as Found } from "../../shared/search.ts";
import { FollowButton } from "../profiles/follow-button.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Marked } from "./marked.tsx";
import "../profiles/people.css";

export function FoundPerson({ person }: { person: Found }) {
  const address = routes.profile(person.username);
  const { name, username, bio } = person.highlights;
  return (
    <li className="person" data-item>
      <Link to={address} tabIndex={-1} aria-hidden="true">
        <Avatar person={person} size={48} />
      </Link>
      <div className="person-text">
        <h3 className="person-name">
          <Link to={address} data-main>
            <bdi>
              <Marked parts={name} />
            </bdi>
          </Link>
        </h3>
        <p className="person-username">
          @<Marked parts={username} />
        </p>
        {bio.length > 0 && (
          <p className="person-bio" dir="auto">
            <Marked parts={bio} />
          </p>
        )}
      </div>
      <div className="person-acts">
        <FollowButton person={person} status={person.follow} asksFirst={person.private} />
      </div>
    </li>
  );
}
