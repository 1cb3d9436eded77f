import { useEffect, useRef } from "react";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { notificationTopicNames, notificationTopics } from "../../shared/notifications.ts";
import type {
  NotificationSettings,
  NotificationTopic,
  NotificationChannels,
  EmailFrequency,
} from "../../shared/notifications.ts";
import { trpc } from "../api/trpc.ts";
import { patch } from "../live/queries/patch.ts";
import { refetch, liveQuery } from "../live/queries/live-query.ts";
import { mutate, registerLiveQueries } from "../live/live.ts";
import type { Mutation, MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { useViewer } from "../session/viewer.ts";
import { showFailure } from "../session/failure.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { SavingNote } from "../settings/saving-note.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { PushSetting } from "./push-setting.tsx";
import { BlogSubscriptions } from "./blog-subscriptions.tsx";

interface Known {
  settings: NotificationSettings;
  zone: string | null;
}
interface Change {
  topic: NotificationTopic;
  channels: Partial<NotificationChannels>;
}

registerLiveQueries({
  "social.notificationSettings": liveQuery<Known>({
    topics: () => ["me"],
    on: {
      "viewer.channelsChanged": refetch,
      "notifications.channels": (known, { topic, channels }) =>
        patch(known, {
          settings: { ...known.settings, [topic]: { ...known.settings[topic], ...channels } },
        }),
    },
  }),
});

const NAME = "social.setNotificationChannels";
const setChannels = ({ client, navigate }: MutationContext): Mutation<Change> => ({
  name: NAME,
  key: ({ topic, channels }) => `channels:${topic}:${Object.keys(channels).join()}`,
  optimisticEvents: (change) => [{ topic: "me", event: { kind: "notifications.channels", ...change } }],
  send: ({ topic, channels }) => client.social.setNotificationChannels.mutate({ topic, ...channels }),
  onError: (error, _change, retry) => showFailure(error, navigate, retry, messages.update),
});

const frequencyTexts: Record<EmailFrequency, string> = {
  never: "Never",
  now: "Right away",
  daily: "Daily",
  weekly: "Weekly",
};

/** The notification settings. Each change is saved at once. */
export function NotificationSettingsPart() {
  const query = trpc.social.notificationSettings.useQuery();
  return (
    <SettingsSection name="notifications" action={<SavingNote mutation={NAME} />}>
      <p className="soft">
        Turning off “On site” also turns off push and email. Emails include only what you haven’t read yet.
      </p>
      <PushSetting />
      <QueryResult isInline query={query} noun="notifications">
        {(data) => (
          <>
            <Matrix settings={data.settings} />
            <EmailTime zone={data.zone} />
          </>
        )}
      </QueryResult>
      <BlogSubscriptions />
    </SettingsSection>
  );
}

/**
 * When daily and weekly emails arrive. Stores the browser's time zone if another one is stored; only once, or another device
 * elsewhere would change it back and forth.
 */
function EmailTime({ zone }: Pick<Known, "zone">) {
  // If it fails, emails come at another hour until the next visit.
  const { mutate: setZone } = trpc.social.setZone.useMutation();
  const isSent = useRef(false);
  useEffect(() => {
    const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (isSent.current || !browserZone || browserZone === zone) return;
    isSent.current = true;
    setZone({ zone: browserZone });
  }, [setZone, zone]);
  return (
    <p className="soft">
      Daily emails are sent around {limits.mail.morning / 3_600_000} in the morning, weekly ones on Mondays (
      {(zone ?? "UTC").replaceAll("_", " ")}).
    </p>
  );
}

function Matrix({ settings }: Pick<Known, "settings">) {
  const viewer = useViewer();
  return (
    <table className="table channel-matrix">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">About</span>
          </th>
          <th scope="col">On site</th>
          <th scope="col">Push</th>
          <th scope="col">Email</th>
        </tr>
      </thead>
      <tbody>
        {notificationTopicNames
          .filter((topic) => !notificationTopics[topic].isForStaff || viewer?.isAdmin || viewer?.isModerator)
          .map((topic) => (
            <Row key={topic} topic={topic} channels={settings[topic]} />
          ))}
      </tbody>
    </table>
  );
}

function Row({ topic, channels }: { topic: NotificationTopic; channels: NotificationChannels }) {
  const { label, isAlwaysOn = false } = notificationTopics[topic];
  const set = (change: Partial<NotificationChannels>): void =>
    void mutate(setChannels, { topic, channels: change });
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <Switch
          label={`${label}: on site`}
          checked={channels.page}
          disabled={isAlwaysOn}
          onChange={(page) => set({ page })}
        />
      </td>
      <td>
        <Switch
          label={`${label}: push`}
          checked={channels.page && channels.push}
          disabled={!channels.page}
          onChange={(push) => set({ push })}
        />
      </td>
      <td>
        <select
          className="field-box"
          aria-label={`${label}: email`}
          value={channels.page ? channels.mail : "never"}
          disabled={!channels.page}
          onChange={({ target }) => set({ mail: target.value as EmailFrequency })}
        >
          {Object.entries(frequencyTexts).map(([frequency, text]) => (
            <option key={frequency} value={frequency}>
              {text}
            </option>
          ))}
        </select>
      </td>
    </tr>
  );
}

interface SwitchProps {
  label: string;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}

const Switch = ({ label, checked, disabled, onChange }: SwitchProps) => (
  <input
    className="framed round setting-switch"
    type="checkbox"
    role="switch"
    aria-label={label}
    checked={checked}
    aria-checked={checked}
    disabled={disabled}
    onChange={({ target }) => onChange(target.checked)}
  />
);
