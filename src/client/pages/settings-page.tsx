import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { errorCode } from "../api/errors.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { setTheme } from "../ui/theme.ts";
import { themes, useTheme } from "../ui/theme-menu.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { elementAt } from "../ui/element-at.ts";
import { Icon } from "../ui/icon.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { askToDeleteAccount } from "../settings/delete-account.tsx";
import { AccessSettings } from "../settings/access-settings.tsx";
import { BlockedSettings } from "../settings/blocked-people.tsx";
import { FeedSettings } from "../settings/feed-settings.tsx";
import { InterestSettings } from "../settings/interest-settings.tsx";
import { MutedSettings } from "../settings/muted-settings.tsx";
import { NotificationSettingsPart } from "../notifications/notification-settings.tsx";
import { PrivacySettings } from "../settings/privacy-settings.tsx";
import { SettingsSection, settingsSections } from "../settings/settings-section.tsx";
import { SingleKeys } from "../settings/single-keys.tsx";
import { SessionSettings } from "../settings/session-settings.tsx";
import { SecondSteps } from "../settings/second-steps.tsx";
import { useViewer } from "../session/viewer.ts";
import "../settings/settings.css";

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  // The settings work without these lists: each shows its failure and a retry.
  const { users, social } = request.data;
  await Promise.all(
    [
      users.access.fetch(),
      users.sessions.fetch(),
      social.notificationSettings.fetch(),
      social.subscriptions.fetch(),
      social.blocked.fetch(),
      social.muted.fetch(),
    ].map((list: Promise<unknown>) =>
      list.catch((error: unknown) => {
        if (errorCode(error) === "UNAUTHORIZED") throw error;
      }),
    ),
  );
  return { title: "Settings" };
}

export default function SettingsPage() {
  const viewer = useViewer();
  const { hash, key } = useLocation();
  useEffect(() => {
    const heading = elementAt(hash);
    const section = heading?.closest("details");
    if (!heading || !section) return;
    section.open = true;
    // With the section open the page is long enough.
    heading.scrollIntoView();
  }, [hash, key]);
  if (!viewer) return null;
  return (
    <div className="page sections settings settings-page">
      <PageHead title="Settings" actions={<LinkButton to="/edit-profile">Edit Profile</LinkButton>} />
      <nav className="stack gap-0 note settings-nav" aria-label="Sections">
        {Object.entries(settingsSections).map(([name, title]) => (
          <Link key={name} className="plain-link hover-ink" to={`/settings#settings-${name}`}>
            {title}
          </Link>
        ))}
      </nav>
      <div className="settings-sections">
        <PrivacySettings viewer={viewer} />
        <NotificationSettingsPart />
        <MutedSettings viewer={viewer} />
        <BlockedSettings />
        <InterestSettings viewer={viewer} />
        <FeedSettings viewer={viewer} />
        <ThemeSettings />
        <SettingsSection name="keys">
          <SingleKeys />
        </SettingsSection>
        <AccessSettings viewer={viewer} />
        <SecondSteps viewer={viewer} />
        <SessionSettings />
        <SettingsSection name="import">
          <p className="soft">Bring your blogs from another site, or from Markdown files.</p>
          <LinkButton className="self-start" to="/settings/import">
            Import
          </LinkButton>
        </SettingsSection>
        <SettingsSection name="export">
          <p className="soft">Download everything that’s yours in one file.</p>
          <LinkButton className="self-start" to="/settings/export">
            Export
          </LinkButton>
        </SettingsSection>
        <SettingsSection name="account">
          <p className="soft">Delete your account and everything you wrote.</p>
          <Button kind="danger" className="self-start" onClick={askToDeleteAccount}>
            Delete Account
          </Button>
        </SettingsSection>
      </div>
    </div>
  );
}

function ThemeSettings() {
  const theme = useTheme();
  return (
    <SettingsSection name="theme">
      <div className="row wrap settings-themes" role="radiogroup" aria-labelledby="settings-theme">
        {themes.map((entry) => (
          <label key={entry.theme} className="target gap-2 small medium hover-sunk">
            <input
              type="radio"
              className="visually-hidden"
              name="theme"
              checked={entry.theme === theme}
              onChange={() => setTheme(entry.theme)}
            />
            <Icon name={entry.icon} />
            {entry.label}
          </label>
        ))}
      </div>
    </SettingsSection>
  );
}
