import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { Settings, Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { ownChanges, useOwnChanges } from "../live/live.ts";
import type { Act } from "../live/own.ts";
import { renewViewer } from "../session/session.ts";
import { tellFailure } from "../session/failure.ts";

/** What becomes of the settings, given what they are by then. */
type Change = (now: Settings) => Partial<Settings>;

const NAME = "users.updateSettings";

/** The way to change the viewer's settings: at once, then on the server (docs/specification.md, 8.9). */
export function useSettings(viewer: Viewer): { saving: boolean; change: (change: Change) => void } {
  const { client, users } = trpc.useUtils();
  const navigate = useNavigate();
  const change = (next: Change): void => {
    const act: Act<Partial<Settings>> = {
      name: NAME,
      key: (settings) => `settings:${Object.keys(settings).join()}`,
      foresee: (settings) => [{ topic: "me", event: { kind: "own.settings", settings } }],
      send: async (settings) => {
        const renewed = await client.users.updateSettings.mutate(settings);
        renewViewer(renewed);
        return renewed;
      },
      kept: false,
      refused: (error) => tellFailure(error, navigate, () => change(next), messages.update),
    };
    void ownChanges().do(act, next(users.me.getData() ?? viewer));
  };
  const saving = useOwnChanges().some(({ name, state }) => name === NAME && state !== "answered");
  return { saving, change };
}
