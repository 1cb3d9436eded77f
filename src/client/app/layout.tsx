import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useLocation, useNavigate, useNavigation, useRevalidator } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { routes, WRITE } from "../../shared/routes.ts";
import type { Viewer } from "../../shared/users.ts";
import { useConnectionState } from "../api/connection-status.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { ConfirmHost } from "../ui/confirm.tsx";
import { Icon } from "../ui/icon.tsx";
import { Logo } from "../ui/logo.tsx";
import { onDemand, useInProgress } from "../ui/on-demand.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { Bell, useUnseen } from "../notifications/bell.tsx";
import { FootBar } from "./foot-bar.tsx";
import { useMayWrite, useViewer } from "../session/viewer.ts";
import { navItemsFor } from "./nav-items.ts";
import { useSite } from "../session/site.ts";
import { ThemeMenu, themeEntries, useTheme } from "../ui/theme-menu.tsx";
import { isChosen, NO_SINGLE_KEYS } from "../storage/device-choice.ts";
import { Menu } from "../ui/menu.tsx";
import { useSignOut } from "./sign-out.ts";
import "./layout.css";

const MenuSheet = onDemand(() => import("./menu-sheet.tsx"));
const KeysDialog = onDemand(() => import("./keys-dialog.tsx"));
const MemberParts = onDemand(() => import("./member-effects.tsx"));

export function Layout({ children }: { children: ReactNode }) {
  const viewer = useViewer();
  const unseen = useUnseen(viewer !== null);
  const navigate = useNavigate();
  const [help, setHelp] = useState(false);
  useEffect(() => {
    const actions = { go: (path: string) => void navigate(path), help: () => setHelp(true) };
    const onKey = (event: KeyboardEvent): void => {
      if (!isShortcutPress(event)) return;
      // Firefox would start its quick search.
      if (event.key === "/") event.preventDefault();
      import("../ui/keys.ts").then(
        ({ handleKey }) => handleKey(event.key, actions),
        () => {},
      );
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate]);
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Progress />
      <Bar viewer={viewer} unseen={unseen} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      {viewer && <FootBar viewer={viewer} unseen={unseen} />}
      <OfflineBar />
      <Toasts />
      <ConfirmHost />
      {help && <KeysDialog onClose={() => setHelp(false)} />}
      {viewer && <MemberParts viewer={viewer} />}
    </>
  );
}

function Bar({ viewer, unseen }: { viewer: Viewer | null; unseen: number }) {
  const { name, picture } = useSite();
  return (
    <header className="hairline-bottom bar">
      <div className="row gap-6 bar-inner">
        <Link className="target gap-2 brand" to={routes.home()} aria-label={name}>
          {picture ? <img src={picture} alt="" /> : <Logo />}
          <span>{name}</span>
        </Link>
        <nav className="row bar-wide" aria-label="Main">
          <BarLinks viewer={viewer} />
        </nav>
        <div className="row bar-wide to-end">
          {viewer ? (
            <>
              <Bell unseen={unseen} hasPopover />
              <UserMenu viewer={viewer} />
            </>
          ) : (
            <>
              <ThemeMenu />
              <BarLink to={routes.signIn()} label="Sign In" />
              <LinkButton kind="primary" size="s" to="/signup">
                Sign Up
              </LinkButton>
            </>
          )}
        </div>
        <div className="row to-end bar-narrow">
          {viewer ? (
            <>
              <Link
                className="stack center bar-me"
                to={routes.profile(viewer.username)}
                aria-label={`Your profile, ${viewer.name}`}
              >
                <Avatar person={viewer} size={32} />
              </Link>
              <Bell unseen={unseen} />
            </>
          ) : (
            <LinkButton kind="primary" size="s" to="/signup">
              Sign Up
            </LinkButton>
          )}
          <SheetButton viewer={viewer} />
        </div>
      </div>
      {/* Without scripts the sheet cannot open. */}
      <noscript>{import.meta.env.SSR && <PlainLinks viewer={viewer} />}</noscript>
    </header>
  );
}

/** The links of the sheet. Only the server renders them: React leaves the content of a noscript alone. */
function PlainLinks({ viewer }: { viewer: Viewer | null }) {
  const mayWrite = useMayWrite();
  return (
    <nav className="row wrap gap-4 bar-noscript" aria-label="Main">
      {navItemsFor("sheet", viewer)
        .filter(({ to }) => mayWrite || to !== WRITE)
        .map(({ label, to }) => (
          <Link key={to} to={to}>
            {label}
          </Link>
        ))}
    </nav>
  );
}

function BarLinks({ viewer }: { viewer: Viewer | null }) {
  // Sign In is at the other end; a member who cannot publish gets no Write.
  const omitted = useMayWrite() ? routes.signIn() : WRITE;
  return navItemsFor("bar", viewer)
    .filter(({ to }) => to !== omitted)
    .map(({ label, to }) => <BarLink key={to} to={to} label={label} />);
}

function BarLink({ to, label }: { to: string; label: string }) {
  const { pathname } = useLocation();
  return (
    <Link className="note bar-link" to={to} aria-current={pathname === to ? "page" : undefined}>
      {label}
    </Link>
  );
}

function SheetButton({ viewer }: { viewer: Viewer | null }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="stack center bar-menu"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={MenuSheet.prepare}
        onFocus={MenuSheet.prepare}
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" size={24} />
      </button>
      {open && <MenuSheet viewer={viewer} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The line at the top while a page or a requested part loads; the style sheet shows it after 150 ms. */
function Progress() {
  const isLoading = useNavigation().state !== "idle";
  const isReloading = useRevalidator().state !== "idle";
  const isInProgress = useInProgress();
  return <div className="progress" data-pending={isLoading || isReloading || isInProgress || undefined} />;
}

function OfflineBar() {
  const offline = useConnectionState() === "offline";
  const bar = useRef<HTMLDivElement>(null);
  // Other elements at the lower edge make room by this variable.
  useEffect(() => {
    if (!offline || !bar.current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty("--offline", `${bar.current?.offsetHeight ?? 0}px`),
    );
    observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--offline");
    };
  }, [offline]);
  return (
    <div ref={bar} className="row center small soft offline" role="status" data-shown={offline || undefined}>
      {offline && (
        <>
          <Icon name="wifi-off" /> You’re offline. New content appears once you’re back online.
        </>
      )}
    </div>
  );
}

function Footer() {
  const { name, docsUrl, terms, privacy } = useSite();
  return (
    <footer className="note hairline-top footer">
      <div className="row wrap between footer-inner">
        <p className="row">
          <Logo size={16} /> {name}
        </p>
        <p className="row">
          {terms && <Link to="/terms">Terms</Link>}
          {privacy && <Link to="/privacy">Privacy</Link>}
          <a href="/feed.xml">Feed</a>
          <a href={docsUrl}>About and documentation</a>
        </p>
      </div>
    </footer>
  );
}

/** Whether a key press may be one of the single keys of ui/keys.ts. Not while typing or in a dialog or menu. */
function isShortcutPress(event: KeyboardEvent): boolean {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.isComposing ||
    // Only j and k repeat while held down.
    (event.repeat && event.key !== "j" && event.key !== "k") ||
    !/^[a-z/?]$/.test(event.key) ||
    isChosen(NO_SINGLE_KEYS)
  )
    return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  return (
    !target.isContentEditable &&
    !target.closest(
      "input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog], [role=alertdialog], [role=menu]",
    )
  );
}

const NavBadge = onDemand(() => import("../notifications/nav-badge.tsx"));

function UserMenu({ viewer }: { viewer: Viewer }) {
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
