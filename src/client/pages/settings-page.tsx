import { errorCode } from "../api/errors.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { setTheme } from "../ui/theme.ts";
import { themes, useTheme } from "../ui/theme-menu.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { askToDeleteAccount } from "../users/delete-account.tsx";
import { AccessSettings } from "../users/access-settings.tsx";
import { BlockedSettings } from "../users/hidden-people.tsx";
import { InterestSettings } from "../users/interest-settings.tsx";
import { MutedSettings } from "../users/muted-settings.tsx";
import { NoticeSettingsPart } from "../social/notice-settings.tsx";
import { PrivacySettings } from "../users/privacy-settings.tsx";
import { SessionSettings } from "../users/session-settings.tsx";
import { SecondSteps } from "../users/second-steps.tsx";
import { useViewer } from "../session/viewer.ts";
import "../users/settings.css";

export async function prefetch(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  // The settings can be changed without these lists: their places say what went wrong, and try again.
  const { users, social } = request.data;
  await Promise.all(
    [
      users.access.fetch(),
      users.sessions.fetch(),
      social.noticeSettings.fetch(),
      social.watched.fetch(),
      social.blocked.fetch(),
      social.muted.fetch(),
    ].map((list: Promise<unknown>) =>
      list.catch((error: unknown) => {
        if (errorCode(error) === "UNAUTHORIZED") throw error;
      }),
    ),
  );
  return { title: "Settings", unlisted: true };
}

export default function SettingsPage() {
  const viewer = useViewer();
  if (!viewer) return null;
  return (
    <div className="page settings">
      <PageHead title="Settings" actions={<LinkButton href="/edit-profile">Edit Profile</LinkButton>} />
      <PrivacySettings viewer={viewer} />
      <NoticeSettingsPart />
      <MutedSettings viewer={viewer} />
      <BlockedSettings />
      <InterestSettings viewer={viewer} />
      <ThemeSettings />
      <AccessSettings viewer={viewer} />
      <SecondSteps viewer={viewer} />
      <SessionSettings />
      <section className="settings-part" aria-labelledby="settings-account">
        <h2 id="settings-account">Account</h2>
        <p className="settings-text">You can delete it, with everything that you wrote.</p>
        <Button kind="danger" className="settings-delete" onClick={askToDeleteAccount}>
          Delete Account
        </Button>
      </section>
    </div>
  );
}

function ThemeSettings() {
  const theme = useTheme();
  return (
    <fieldset className="settings-part settings-themes">
      <legend>Theme</legend>
      <div>
        {themes.map((one) => (
          <label key={one.theme}>
            <input
              type="radio"
              className="visually-hidden"
              name="theme"
              checked={one.theme === theme}
              onChange={() => setTheme(one.theme)}
            />
            <Icon name={one.icon} />
            {one.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
