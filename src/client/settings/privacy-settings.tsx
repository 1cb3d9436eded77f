import { readersText } from "../../shared/audience.ts";
import type { Viewer } from "../../shared/users.ts";
import { STALE_AT_ONCE } from "../api/query-client.ts";
import { trpc } from "../api/trpc.ts";
import { confirm } from "../ui/confirm.tsx";
import { SavingNote } from "./saving-note.tsx";
import { SettingSwitch } from "./setting-switch.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { UPDATE_SETTINGS, useSettings } from "./use-settings.ts";

/** Each switch is saved at once. */
export function PrivacySettings({ viewer }: { viewer: Viewer }) {
  const change = useSettings(viewer);
  const { social } = trpc.useUtils();

  const goPublic = async (): Promise<void> => {
    // Pending requests are accepted for good, so their number is fetched again.
    const pending = await social.requests
      .fetch(undefined, { staleTime: STALE_AT_ONCE })
      .catch(() => social.requests.getData());
    const count = pending?.requests.length ?? 0;
    if (count > 0) {
      const subject = count === 1 ? "Your pending request will be" : `Your ${count} pending requests will be`;
      const body = `${subject} accepted. ${readersText("everyone")} will be able to read your blogs. Blogs that you published for followers stay visible to followers only.`;
      if (!(await confirm({ title: "Make your account public?", body, action: "Make public" }))) return;
    }
    change(() => ({ private: false }));
  };
  return (
    <SettingsSection name="privacy" action={<SavingNote mutation={UPDATE_SETTINGS} />}>
      <SettingSwitch
        label="Private account"
        checked={viewer.private}
        onChange={(on) => (on ? change(() => ({ private: true })) : void goPublic())}
      >
        {viewer.private
          ? `${readersText("followers")} can read your blogs, and you approve each new follower. If you turn this off, pending requests are accepted.`
          : `${readersText("everyone")} can read your blogs and follow you. If you turn this on, you keep your followers.`}
      </SettingSwitch>
      <SettingSwitch
        label="Show liked blogs"
        checked={viewer.showLikedBlogs}
        onChange={(on) => change(() => ({ showLikedBlogs: on }))}
      >
        Your profile lists the blogs you like. If you turn this off, authors see that someone likes their
        blog, but not who.
      </SettingSwitch>
      <SettingSwitch
        label="Show saved blogs"
        checked={viewer.showSavedBlogs}
        onChange={(on) => change(() => ({ showSavedBlogs: on }))}
      >
        Your profile lists the blogs you save.
      </SettingSwitch>
      <SettingSwitch
        label="Show followers"
        checked={viewer.showFollowers}
        onChange={(on) => change(() => ({ showFollowers: on }))}
      >
        Anyone who can see your profile can see your followers and who you follow.
      </SettingSwitch>
      <SettingSwitch
        label="Show when I am reading or replying"
        checked={viewer.showPresence}
        onChange={(on) => change(() => ({ showPresence: on }))}
      >
        Public blogs show how many people are reading and who is writing a comment. If you turn this off,
        you’re not counted or named, and we don’t remember where you stopped reading.
      </SettingSwitch>
    </SettingsSection>
  );
}
