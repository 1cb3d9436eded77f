import type { ReactNode, Ref } from "react";
import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { Person } from "../../shared/users.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import "./people.css";

interface Props {
  person: Person & { bio: string };
  children?: ReactNode;
  note?: ReactNode;
  /** The id of the name, for `aria-describedby`. */
  nameId?: string;
  ref?: Ref<HTMLLIElement>;
}

export function PersonRow({ person, children, note, nameId, ref }: Props) {
  return (
    <li className="person" data-item ref={ref}>
      <Link to={routes.profile(person.username)} tabIndex={-1} aria-hidden="true">
        <Avatar person={person} size={48} />
      </Link>
      <div className="person-text stack">
        <p className="person-name">
          <Link to={routes.profile(person.username)} className="plain-link strong" id={nameId} data-main>
            <bdi>{person.name}</bdi>
          </Link>
        </p>
        <p className="note">
          @{person.username}
          {note && <> · {note}</>}
        </p>
        {person.bio && (
          <p className="person-bio soft line-clamp" dir="auto">
            {person.bio}
          </p>
        )}
      </div>
      {children && <div className="person-acts row wrap">{children}</div>}
    </li>
  );
}

export const PeopleSkeleton = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => <PersonSkeleton key={index} />);

function PersonSkeleton() {
  return (
    <div className="person">
      <Skeleton width="3rem" height="3rem" round />
      <div className="person-text stack">
        <Skeleton width="9rem" />
        <Skeleton width="6rem" height="0.75rem" />
      </div>
    </div>
  );
}
