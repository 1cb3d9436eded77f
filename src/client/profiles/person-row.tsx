import type { ReactNode, Ref } from "react";
import { Link } from "../ui/link.tsx";
import { routes } from "../../shared/routes.ts";
import type { Person } from "../../shared/users.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import "./people.css";

interface Props {
  person: Person & { bio?: string };
  /** The name as a heading. */
  isHeading?: boolean;
  /** Shown instead of those of the person. */
  name?: ReactNode;
  username?: ReactNode;
  bio?: ReactNode;
  children?: ReactNode;
  note?: ReactNode;
  /** The id of the name, for `aria-describedby`. */
  nameId?: string;
  ref?: Ref<HTMLLIElement>;
}

export function PersonRow({
  person,
  isHeading = false,
  name = person.name,
  username = person.username,
  bio = person.bio,
  children,
  note,
  nameId,
  ref,
}: Props) {
  const Name = isHeading ? "h3" : "p";
  return (
    <li className="person" data-item ref={ref}>
      <Link to={routes.profile(person.username)} tabIndex={-1} aria-hidden="true">
        <Avatar person={person} size={48} />
      </Link>
      <div className="person-text stack">
        <Name className="person-name">
          <Link to={routes.profile(person.username)} className="plain-link strong" id={nameId} data-main>
            <bdi>{name}</bdi>
          </Link>
        </Name>
        <p className="note">
          @{username}
          {note && <> · {note}</>}
        </p>
        {bio && (
          <p className="person-bio soft line-clamp" dir="auto">
            {bio}
          </p>
        )}
      </div>
      {children && <div className="person-acts row wrap">{children}</div>}
    </li>
  );
}

export const PeopleSkeleton = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => (
    <div className="person" key={index}>
      <Skeleton width="3rem" height="3rem" round />
      <div className="person-text stack">
        <Skeleton width="9rem" />
        <Skeleton width="6rem" height="0.75rem" />
      </div>
    </div>
  ));
