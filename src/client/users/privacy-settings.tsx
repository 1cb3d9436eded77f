import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { confirm } from "../ui/confirm.tsx";
import { SavingNote } from "./saving-note.tsx";
import { SettingSwitch } from "./setting-switch.tsx";
import { UPDATE_SETTINGS, useSettings } from "./use-settings.ts";

/** Who sees what of the account. Each switch is saved as it is turned. */
export function PrivacySettings({ viewer }: { viewer: Viewer }) {
  const change = useSettings(viewer);
  const { social } = trpc.useUtils();

  const goPublic = async (): Promise<void> => {
    // Whoever waits is let in for good: how many they are is asked anew.
    const known = await social.requests
      .fetch(undefined, { staleTime: 0 })
      .catch(() => social.requests.getData());
    const waiting = known?.requests.length ?? 0;
    if (waiting > 0) {
      const who = waiting === 1 ? "The request that waits is" : `The ${waiting} requests that wait are`;
      const body = `${who} accepted, and everybody can read your blogs. Those you published for your followers alone stay theirs.`;
      if (!(await confirm({ title: "Make your account public?", body, action: "Make public" }))) return;
    }
    change(() => ({ private: false }));
  };
  return (
    <section className="settings-part" aria-labelledby="settings-privacy">
      <div className="settings-head">
        <h2 id="settings-privacy">Privacy</h2>
        <SavingNote act={UPDATE_SETTINGS} />
      </div>
      <SettingSwitch
        label="Private account"
        checked={viewer.private}
        onChange={(on) => (on ? change(() => ({ private: true })) : void goPublic())}
      >
        {viewer.private
          ? "Only your followers can read you, and whoever wants to follow you asks first. When you turn this off, waiting requests are accepted."
          : "Everybody can read you and follow you. When you turn this on, your followers stay."}
      </SettingSwitch>
      <SettingSwitch
        label="Show liked blogs"
        checked={viewer.showLikedBlogs}
        onChange={(on) => change(() => ({ showLikedBlogs: on }))}
      >
        A tab of your profile lists the blogs you like. When you turn this off, authors learn that somebody
        likes their blog, and not who.
      </SettingSwitch>
      <SettingSwitch
        label="Show saved blogs"
        checked={viewer.showSavedBlogs}
        onChange={(on) => change(() => ({ showSavedBlogs: on }))}
      >
        A tab of your profile lists the blogs you save.
      </SettingSwitch>
      <SettingSwitch
        label="Show followers"
        checked={viewer.showFollowers}
        onChange={(on) => change(() => ({ showFollowers: on }))}
      >
        Who may read you sees who follows you, and whom you follow.
      </SettingSwitch>
      <SettingSwitch
        label="Show when I am reading or replying"
        checked={viewer.showPresence}
        onChange={(on) => change(() => ({ showPresence: on }))}
      >
        A blog that everybody may read says how many are reading it, and who is writing a comment. When you
        turn this off, you are not counted there and not named, and it is not kept either where in a long text
        you stopped reading.
      </SettingSwitch>
    </section>
  );
}
