import type { MouseEvent } from "react";
import { Link } from "../ui/link.tsx";
import { routes } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import { FollowButton } from "./follow-button.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import PersonMenu from "./person-menu.tsx";
import type { PeopleListKind } from "./people-list.tsx";
import { hasPanel } from "./people-panel.tsx";
import { useViewer } from "../session/viewer.ts";
import "./profile.css";

export function ProfileHead({
  profile,
  onPeople,
}: {
  profile: Profile;
  onPeople: (list: PeopleListKind) => void;
}) {
  const viewer = useViewer();
  const isMe = viewer?.id === profile.id;
  return (
    <header className="profile-head h-card">
      <Avatar person={profile} size={96} />
      <div>
        <h1 className="size-2xl">
          <bdi className="p-name">{profile.name}</bdi>
          {profile.private && (
            <span className="profile-lock muted" title="Private account">
              <Icon name="lock" size={18} />
              <span className="visually-hidden">, a private account</span>
            </span>
          )}
        </h1>
        <p className="muted">
          @<span className="p-nickname">{profile.username}</span>
        </p>
        {/* For programs (microformats). */}
        <Link to={routes.profile(profile.username)} className="u-url u-uid" hidden>
          {profile.name}
        </Link>
        {profile.picture && (
          <a href={profile.picture} className="u-photo" hidden>
            {profile.name}
          </a>
        )}
      </div>
      <div className="profile-acts row gap-1">
        {isMe ? (
          <LinkButton to="/edit-profile">Edit Profile</LinkButton>
        ) : (
          <>
            <FollowButton person={profile} status={profile.follow} asksFirst={profile.private} prominent />
            {viewer && <PersonMenu person={profile} />}
          </>
        )}
      </div>
      {profile.bio && (
        <p className="profile-bio lead as-typed p-note" dir="auto">
          {profile.bio}
        </p>
      )}
      <Counts profile={profile} onPeople={onPeople} />
    </header>
  );
}

function Counts({ profile, onPeople }: { profile: Profile; onPeople: (list: PeopleListKind) => void }) {
  const { username, followersCount, followingCount, blogsCount } = profile;
  const counts = [
    { count: blogsCount, unit: "blog", units: "blogs", list: null },
    { count: followersCount, unit: "follower", units: "followers", list: "followers" },
    { count: followingCount, unit: "following", units: "following", list: "following" },
  ] as const;
  const visibleCounts = counts.flatMap(({ count, ...rest }) => (count === null ? [] : [{ count, ...rest }]));
  if (visibleCounts.length === 0) return null;
  return (
    <ul className="profile-counts row wrap muted">
      {visibleCounts.map(({ count, unit, units, list }) => {
        const ownBlogs = profile.follow === "self" ? "/my-blogs" : undefined;
        const to = list ? routes[list](username) : ownBlogs;
        // A panel shows the list instead (docs/specification.md, 2.43).
        const openList = (event: MouseEvent): void => {
          if (!list || !hasPanel() || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onPeople(list);
        };
        const text = (
          <>
            <strong className="tabular">{count.toLocaleString("en")}</strong> {count === 1 ? unit : units}
          </>
        );
        return (
          <li key={unit}>
            {to ? (
              <Link to={to} className="plain-link" onClick={openList}>
                {text}
              </Link>
            ) : (
              text
            )}
          </li>
        );
      })}
      {!profile.private && (
        <li>
          <a href={`${routes.profile(username)}/feed.xml`} className="plain-link">
            Feed
          </a>
        </li>
      )}
    </ul>
  );
}
