import { routes, WRITE } from "../../shared/routes.ts";
import type { Viewer } from "../../shared/users.ts";
import type { IconName } from "../ui/icon.tsx";

type Audience = "everyone" | "members" | "guests" | "staff";

interface NavItem {
  label: string;
  icon: IconName;
  to: string | ((viewer: Viewer) => string);
  /** Who sees it in the wide bar, the user menu and the narrow screen's sheet. */
  bar?: Audience;
  menu?: Audience;
  sheet?: Audience;
}

/** The navigation in its order (docs/specification.md, 2.3 to 2.8). */
const navItems: readonly NavItem[] = [
  { label: "Home", icon: "home", to: routes.home(), bar: "everyone", sheet: "everyone" },
  { label: "Profile", icon: "user", to: (viewer) => routes.profile(viewer.username), menu: "members" },
  { label: "My blogs", icon: "draft", to: "/my-blogs", menu: "members", sheet: "members" },
  { label: "Requests", icon: "users", to: "/requests", menu: "members", sheet: "everyone" },
  { label: "Write", icon: "pen", to: WRITE, bar: "everyone", sheet: "members" },
  { label: "Explore", icon: "compass", to: "/search", bar: "everyone", sheet: "everyone" },
  { label: "Moderation", icon: "warning", to: "/admin", menu: "staff", sheet: "staff" },
  { label: "Settings", icon: "settings", to: "/settings", menu: "members", sheet: "members" },
  { label: "Sign In", icon: "log-in", to: routes.signIn(), bar: "guests", sheet: "guests" },
];

/** Returns the entries of one of the three menus. */
export function navItemsFor(
  menu: "bar" | "menu" | "sheet",
  viewer: Viewer | null,
): { label: string; icon: IconName; to: string }[] {
  const isStaff = viewer !== null && (viewer.isAdmin || viewer.isModerator);
  const audiences: (Audience | undefined)[] = [
    "everyone",
    viewer ? "members" : "guests",
    isStaff ? "staff" : "everyone",
  ];
  return navItems
    .filter((item) => audiences.includes(item[menu]))
    .map(({ label, icon, to }) => ({
      label,
      icon,
      to: typeof to === "string" ? to : viewer ? to(viewer) : routes.home(),
    }));
}
