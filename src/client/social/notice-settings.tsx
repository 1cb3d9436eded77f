import { useEffect, useRef } from "react";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { NoticeSettings, NoticeTopic, NoticeWays, WayOfMail } from "../../shared/notices.ts";
import { trpc } from "../api/trpc.ts";
import { changed } from "../live/changed.ts";
import { askAgain, kept } from "../live/kept.ts";
import { doAct, keepAlso } from "../live/live.ts";
import type { Act, Hands } from "../live/own.ts";
import { tellFailure } from "../session/failure.ts";
import { Loaded } from "../ui/loaded.tsx";
import { SavingNote } from "../users/saving-note.tsx";
import { PushSetting } from "./push-setting.tsx";
import { WatchedBlogs } from "./watched-blogs.tsx";
import "./notice-settings.css";

interface Known {
  settings: NoticeSettings;
  zone: string | null;
}
interface Change {
  topic: NoticeTopic;
  ways: Partial<NoticeWays>;
}

keepAlso({
  "social.noticeSettings": kept<Known>({
    topics: () => ["me"],
    on: {
      "own.noticeWays": askAgain,
      "own.ways": (known, { topic, ways }) =>
        changed(known, {
          settings: { ...known.settings, [topic]: { ...known.settings[topic], ...ways } },
        }),
    },
  }),
});

const NAME = "social.setNoticeWays";
const setWays = ({ client, navigate }: Hands): Act<Change> => ({
  name: NAME,
  key: ({ topic, ways }) => `ways:${topic}:${Object.keys(ways).join()}`,
  foresee: (change) => [{ topic: "me", event: { kind: "own.ways", ...change } }],
  send: ({ topic, ways }) => client.social.setNoticeWays.mutate({ topic, ...ways }),
  kept: false,
  refused: (error, _change, again) => tellFailure(error, navigate, again, messages.update),
});

const topics: Record<NoticeTopic, string> = {
  comments: "Comments on my blogs",
  replies: "Replies and mentions",
  talks: "Talks that I follow",
  likes: "Likes",
  people: "Followers and requests",
  site: "What moderators decide",
};
const mails: Record<WayOfMail, string> = {
  never: "Never",
  now: "At once",
  daily: "Daily",
  weekly: "Weekly",
};

/** Where one is told of what: saved as it is turned. */
export function NoticeSettingsPart() {
  const asked = trpc.social.noticeSettings.useQuery();
  return (
    <section className="settings-part" aria-labelledby="settings-notices">
      <div className="settings-head">
        <h2 id="settings-notices">Notifications</h2>
        <SavingNote act={NAME} />
      </div>
      <p className="settings-text">
        What is off under “Here” is told nowhere else either. A mail tells only what you have not read by
        then.
      </p>
      <PushSetting />
      <Loaded isInline asked={asked} what="notifications">
        {(known) => (
          <>
            <Matrix settings={known.settings} />
            <Morning zone={known.zone} />
          </>
        )}
      </Loaded>
      <WatchedBlogs />
    </section>
  );
}

/**
 * When daily and weekly mails come. Where the browser is somewhere else by now, they follow: told once, since another
 * device of theirs, elsewhere, would tell the opposite.
 */
function Morning({ zone }: Pick<Known, "zone">) {
  // Where it fails they come all the same, at another hour: the next visit asks again.
  const { mutate } = trpc.social.setZone.useMutation();
  const asked = useRef(false);
  useEffect(() => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (asked.current || !here || here === zone) return;
    asked.current = true;
    mutate({ zone: here });
  }, [mutate, zone]);
  return (
    <p className="settings-text">
      Daily mails come around {limits.mail.morning / 3_600_000} in the morning, weekly ones on Mondays (
      {(zone ?? "UTC").replaceAll("_", " ")}).
    </p>
  );
}

function Matrix({ settings }: Pick<Known, "settings">) {
  return (
    <table className="notice-ways">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">About</span>
          </th>
          <th scope="col">Here</th>
          <th scope="col">Push</th>
          <th scope="col">Mail</th>
        </tr>
      </thead>
      <tbody>
        {(Object.keys(topics) as NoticeTopic[]).map((topic) => (
          <Row key={topic} topic={topic} ways={settings[topic]} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ topic, ways }: { topic: NoticeTopic; ways: NoticeWays }) {
  const label = topics[topic];
  const set = (change: Partial<NoticeWays>): void => void doAct(setWays, { topic, ways: change });
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <Switch
          label={`${label}: here`}
          checked={ways.page}
          disabled={topic === "site"}
          onChange={(page) => set({ page })}
        />
      </td>
      <td>
        <Switch
          label={`${label}: push`}
          checked={ways.page && ways.push}
          disabled={!ways.page}
          onChange={(push) => set({ push })}
        />
      </td>
      <td>
        <select
          className="field-box"
          aria-label={`${label}: mail`}
          value={ways.page ? ways.mail : "never"}
          disabled={!ways.page}
          onChange={({ target }) => set({ mail: target.value as WayOfMail })}
        >
          {Object.entries(mails).map(([way, text]) => (
            <option key={way} value={way}>
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
    className="setting-switch"
    type="checkbox"
    role="switch"
    aria-label={label}
    checked={checked}
    aria-checked={checked}
    disabled={disabled}
    onChange={({ target }) => onChange(target.checked)}
  />
);
