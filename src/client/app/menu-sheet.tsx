import { WRITE } from "../../shared/routes.ts";
import { useEffect, useId, useRef } from "react";
import { useLocation } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import type { Viewer } from "../../shared/users.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { useSignOut } from "./sign-out.ts";
import NavBadge from "../notifications/nav-badge.tsx";
import { askToDeleteAccount } from "../settings/delete-account.tsx";
import { navItemsFor } from "./nav-items.ts";
import { useSite } from "../session/site.ts";
import { useMayWrite } from "../session/viewer.ts";
import { setTheme } from "../ui/theme.ts";
import { themes, useTheme } from "../ui/theme-menu.tsx";

/** The menu of narrow screens. */
export default function MenuSheet({ viewer, onClose }: { viewer: Viewer | null; onClose: () => void }) {
  const { name } = useSite();
  const { pathname, key } = useLocation();
  const openedAt = useRef(key);
  const mayWrite = useMayWrite();
  const theme = useTheme();
  const signOut = useSignOut();
  const badge = useId();
  useEffect(() => {
    if (key !== openedAt.current) onClose();
  }, [key, onClose]);
  return (
    <Dialog title={name} sheet onClose={onClose}>
      <nav className="stack gap-0 sheet-links" aria-label="Main">
        {navItemsFor("sheet", viewer)
          .filter(({ to }) => mayWrite || to !== WRITE)
          .map(({ label, icon, to }) => (
            <Link
              key={to}
              to={to}
              aria-current={pathname === to ? "page" : undefined}
              aria-describedby={badge + to}
              onClick={() => pathname === to && onClose()}
            >
              <Icon name={icon} />
              {label}
              <NavBadge id={badge + to} to={to} />
            </Link>
          ))}
        {viewer && (
          <button type="button" onClick={() => void signOut()}>
            <Icon name="log-out" />
            Log Out
          </button>
        )}
      </nav>
      <div className="hairline-top sheet-part sheet-theme" role="group" aria-label="Theme">
        {themes.map((entry) => (
          <button
            key={entry.theme}
            type="button"
            className="stack gap-1 center small soft"
            aria-pressed={entry.theme === theme}
            onClick={() => setTheme(entry.theme)}
          >
            <Icon name={entry.icon} />
            {entry.label}
          </button>
        ))}
      </div>
      {/* At the end, where "Log out" is not pressed by accident. */}
      {viewer && (
        <div className="hairline-top sheet-part">
          <div className="stack gap-0 sheet-links">
            <button
              type="button"
              className="danger"
              onClick={() => {
                onClose();
                askToDeleteAccount();
              }}
            >
              <Icon name="trash" />
              Delete Account
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
