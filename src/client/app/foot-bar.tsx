import { useLocation } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { routes, WRITE } from "../../shared/routes.ts";
import type { Viewer } from "../../shared/users.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import type { IconName } from "../ui/icon.tsx";
import { Bell } from "../notifications/bell.tsx";
import { useMayWrite } from "../session/viewer.ts";
import "./foot-bar.css";

/** Pages that get a phone's whole screen. */
const fullScreenPages = /^\/(blog|edit|add-blog|select-interests)(\/|$)/;

/** A member's most used pages, at a phone's lower edge. The style sheet hides it on wide screens. */
export function FootBar({ viewer, unseen }: { viewer: Viewer; unseen: number }) {
  const { pathname } = useLocation();
  const mayWrite = useMayWrite();
  if (fullScreenPages.test(pathname)) return null;
  const me = routes.profile(viewer.username);
  const current = (to: string) => (pathname === to ? "page" : undefined);
  const link = (to: string, label: string, icon: IconName) => (
    <Link to={to} aria-label={label} aria-current={current(to)}>
      <Icon name={icon} size={24} />
    </Link>
  );
  return (
    <nav className="foot-bar" aria-label="Places">
      {link(routes.home(), "Home", "home")}
      {link("/search", "Explore", "compass")}
      {mayWrite && link(WRITE, "Write", "pen")}
      <Bell unseen={unseen} />
      <Link to={me} aria-label={`Your profile, ${viewer.name}`} aria-current={current(me)}>
        <Avatar person={viewer} size={32} />
      </Link>
    </nav>
  );
}
