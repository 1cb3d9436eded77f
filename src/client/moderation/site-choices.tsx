import type { SiteSettings } from "../../shared/site.ts";
import { trpc } from "../api/trpc.ts";
import { useAct } from "../session/use-act.ts";

type Name = "writers" | "firstLinks" | "signUpWork";
type Choices<Value extends string> = Record<Value, { name: string; text: string }>;

const legends: Record<Name, string> = {
  writers: "Who may write",
  firstLinks: "Comments with a link from new accounts",
  signUpWork: "Programs that sign up",
};
const choices: { [One in Name]: Choices<SiteSettings[One]> } = {
  writers: {
    "": { name: "Everybody", text: "Whoever has an account." },
    approved: {
      name: "Those whom you let",
      text: "You let people write in the list of people. Everybody else reads, comments and likes.",
    },
  },
  firstLinks: {
    "": { name: "Go out at once", text: "An account’s first day has room for so many of them." },
    held: {
      name: "Wait for a moderator or the author",
      text: "The first comment with a link of each account waits, below the blog and among the reports. Once one was let in, the next ones go out at once.",
    },
  },
  signUpWork: {
    "": {
      name: "Pay with time",
      text: "A browser computes for a second while somebody fills in the form. Over the API the bounds below are all there is.",
    },
    only: { name: "Stay outside", text: "The same, and nobody signs up over the API." },
    off: { name: "Sign up as people do", text: "Nothing is computed." },
  },
};

/** What administrators choose between. */
export function SiteChoices({ settings }: { settings: SiteSettings }) {
  return (Object.keys(choices) as Name[]).map((name) => (
    <Choose key={name} name={name} chosen={settings[name]} options={choices[name]} />
  ));
}

function Choose({ name, chosen, options }: { name: Name; chosen: string; options: Choices<string> }) {
  const { act } = useAct(trpc.moderation.setSite.useMutation());
  return (
    <fieldset className="staff-modes">
      <legend>{legends[name]}</legend>
      {Object.entries(options).map(([value, option]) => (
        <div key={value}>
          <label>
            <input
              type="radio"
              name={name}
              checked={chosen === value}
              onChange={() => void act({ [name]: value })}
            />
            {option.name}
          </label>
          <p className="staff-note">{option.text}</p>
        </div>
      ))}
    </fieldset>
  );
}
