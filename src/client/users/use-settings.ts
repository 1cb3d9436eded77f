import { messages } from "../../shared/errors.ts";
import type { Settings, Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { doAct } from "../live/live.ts";
import type { Act, Hands } from "../live/own.ts";
import { renewViewer } from "../session/session.ts";
import { tellFailure } from "../session/failure.ts";

/** What becomes of the settings, given what they are by then. */
type Change = (now: Settings) => Partial<Settings>;

/** The name of what changes settings. */
export const UPDATE_SETTINGS = "users.updateSettings";

/** The way to change the viewer's settings: at once, then on the server (docs/specification.md, 8.9). */
export function useSettings(viewer: Viewer): (change: Change) => void {
  const { users } = trpc.useUtils();
  const change = (next: Change): void => {
    const update = ({ client, navigate }: Hands): Act<Partial<Settings>> => ({
      name: UPDATE_SETTINGS,
      key: (settings) => `settings:${Object.keys(settings).join()}`,
      foresee: (settings) => [{ topic: "me", event: { kind: "own.settings", settings } }],
      send: async (settings) => {
        const renewed = await client.users.updateSettings.mutate(settings);
        renewViewer(renewed);
        return renewed;
      },
      kept: false,
      refused: (error) => tellFailure(error, navigate, () => change(next), messages.update),
    });
    void doAct(update, next(users.me.getData() ?? viewer));
  };
  return change;
}
