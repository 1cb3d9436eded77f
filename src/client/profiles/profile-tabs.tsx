import { Link } from "react-router-dom";
import { audienceLabels } from "../../shared/audience.ts";
import { routes } from "../../shared/routes.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { Profile } from "../../shared/users.ts";
import "../ui/tabs.css";

export const tabNames: Record<ProfileTab, string> = {
  blogs: "Blogs",
  "saved-blogs": "Saved",
  "liked-blogs": "Liked",
  "draft-blogs": "Drafts",
  "private-blogs": audienceLabels.followers,
};

/** The lists that the viewer can see, as links, so that each has an address. */
export function ProfileTabs({ profile, tab }: { profile: Profile; tab: ProfileTab }) {
  if (profile.tabs.length < 2) return null;
  return (
    <nav className="tabs" aria-label="Lists">
      {profile.tabs.map((name) => (
        <Link
          key={name}
          to={routes.profile(profile.username, name)}
          aria-current={name === tab ? "page" : undefined}
        >
          {tabNames[name]}
        </Link>
      ))}
    </nav>
  );
}
