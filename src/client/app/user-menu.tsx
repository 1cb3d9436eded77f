import type { Viewer } from "../../shared/users.ts";
import { navItemsFor } from "./nav-items.ts";
import { themeEntries, useTheme } from "../ui/theme-menu.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { useSignOut } from "./sign-out.ts";

const NavBadge = onDemand(() => import("../notifications/nav-badge.tsx"));

export function UserMenu({ viewer }: { viewer: Viewer }) {
  const theme = useTheme();
  const signOut = useSignOut();
  return (
    <Menu
      label={`Menu of ${viewer.name}`}
      className="row small hover-sunk user-menu"
      Badge={NavBadge}
      entries={[
        ...navItemsFor("menu", viewer),
        { label: "Log Out", icon: "log-out", run: () => void signOut() },
        "line",
        ...themeEntries(theme),
        "line",
        {
          label: "Delete Account",
          icon: "trash",
          danger: true,
          run: () => void import("../settings/delete-account.tsx").then((part) => part.askToDeleteAccount()),
        },
      ]}
    >
      <Avatar person={viewer} size={32} />
      <span className="clip" dir="auto">
        {viewer.name}
      </span>
      <Icon name="chevron-down" size={16} />
    </Menu>
  );
}
