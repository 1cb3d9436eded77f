import { routes, WRITE } from "../../shared/routes.ts";
import type { Viewer } from "../../shared/users.ts";
import type { IconName } from "../ui/icon.tsx";

type Whose = "everyone" | "members" | "guests" | "staff";

interface Place {
  label: string;
  icon: IconName;
  to: string | ((viewer: Viewer) => string);
  /** Who sees it in the bar of a wide screen, in the menu under one's name, and in the sheet of a narrow screen. */
  bar?: Whose;
  menu?: Whose;
  sheet?: Whose;
}

/** The one place with a badge: how many wait there. */
export const REQUESTS = "/requests";

/** Where the navigation leads, in their order (docs/specification.md, 2.3 to 2.8). A page that is new is a line here. */
const places: readonly Place[] = [
  { label: "Home", icon: "home", to: routes.home(), bar: "everyone", sheet: "everyone" },
  { label: "Profile", icon: "user", to: (viewer) => routes.profile(viewer.username), menu: "members" },
  { label: "My blogs", icon: "draft", to: "/my-blogs", menu: "members", sheet: "members" },
  { label: "Requests", icon: "users", to: REQUESTS, menu: "members", sheet: "everyone" },
  { label: "Write", icon: "pen", to: WRITE, bar: "everyone", sheet: "members" },
  { label: "Explore", icon: "compass", to: "/search", bar: "members", sheet: "members" },
  { label: "Moderation", icon: "warning", to: "/admin", menu: "staff", sheet: "staff" },
  { label: "Settings", icon: "settings", to: "/settings", menu: "members", sheet: "members" },
  { label: "Sign In", icon: "log-in", to: routes.signIn(), bar: "guests", sheet: "guests" },
];

/** The places in one of the three menus for whoever looks. */
export function placesFor(
  menu: "bar" | "menu" | "sheet",
  viewer: Viewer | null,
): { label: string; icon: IconName; to: string }[] {
  const isStaff = viewer !== null && (viewer.isAdmin || viewer.isModerator);
  const seen: (Whose | undefined)[] = [
    "everyone",
    viewer ? "members" : "guests",
    isStaff ? "staff" : "everyone",
  ];
  return places
    .filter((place) => seen.includes(place[menu]))
    .map(({ label, icon, to }) => ({
      label,
      icon,
      to: typeof to === "string" ? to : viewer ? to(viewer) : routes.home(),
    }));
}
