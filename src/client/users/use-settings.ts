import { useSyncExternalStore } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { SettingsChanges, shownSettings } from "./settings-changes.ts";
import type { Change, Settings } from "./settings-changes.ts";
import { tellUpdateFailure } from "./update-failure.ts";
import { useTakeViewer } from "./take-viewer.ts";

/** This tab's changes. Never touched on the server. */
const changes = new SettingsChanges();
const none: readonly Change[] = [];

/** The viewer's settings as they show now, and the way to change them: at once, then on the server (specification, 8 "Update failed"). */
export function useSettings(viewer: Viewer): {
  settings: Settings;
  saving: boolean;
  change: (change: Change) => void;
} {
  const { client, users } = trpc.useUtils();
  const take = useTakeViewer();
  const navigate = useNavigate();
  const open = useSyncExternalStore(changes.subscribe, changes.open, () => none);
  const server = {
    current: () => settingsOf(users.me.getData() ?? viewer),
    send: async (update: Partial<Settings>) => take(await client.users.updateSettings.mutate(update)),
    failed: (error: unknown, retry: () => void) => tellUpdateFailure(error, navigate, retry, messages.update),
  };
  return {
    settings: shownSettings(settingsOf(viewer), open),
    saving: open.length > 0,
    change: (change) => void changes.make([change], server),
  };
}

const settingsOf = ({
  private: isPrivate,
  showLikedBlogs,
  showSavedBlogs,
  showFollowers,
  interests,
}: Viewer): Settings => ({
  private: isPrivate,
  showLikedBlogs,
  showSavedBlogs,
  showFollowers,
  interests,
});
