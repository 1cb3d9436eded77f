import { messages } from "../../shared/errors.ts";
import type { Settings, Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { mutate } from "../live/live.ts";
import type { Mutation, MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { updateViewer } from "../session/session.ts";
import { showFailure } from "../session/failure.ts";

type Change = (now: Settings) => Partial<Settings>;

export const UPDATE_SETTINGS = "users.updateSettings";

/** Returns a function that changes the viewer's settings at once on the page, then on the server (docs/specification.md, 8.9). */
export function useSettings(viewer: Viewer): (change: Change) => void {
  const { users } = trpc.useUtils();
  const change = (next: Change): void => {
    const update = ({ client, navigate }: MutationContext): Mutation<Partial<Settings>> => ({
      name: UPDATE_SETTINGS,
      key: (settings) => `settings:${Object.keys(settings).join()}`,
      optimisticEvents: (settings) => [{ topic: "me", event: { kind: "settings.changed", settings } }],
      send: async (settings) => {
        const updated = await client.users.updateSettings.mutate(settings);
        updateViewer(updated);
        return updated;
      },
      onError: (error) => showFailure(error, navigate, () => change(next), messages.update),
    });
    void mutate(update, next(users.me.getData() ?? viewer));
  };
  return change;
}
