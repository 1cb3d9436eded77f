import type { SiteSettings } from "../../shared/site.ts";
import { trpc } from "../api/trpc.ts";
import { useMutationMessage } from "../session/use-mutation-message.ts";
import { useChoice } from "./use-choice.ts";

type Name = "writers" | "firstLinks" | "signUpWork";
type Choices<Value extends string> = Record<Value, { name: string; text: string }>;

const legends: Record<Name, string> = {
  writers: "Who can publish",
  firstLinks: "Comments with a link from new accounts",
  signUpWork: "Automated sign-ups",
};
const choices: { [One in Name]: Choices<SiteSettings[One]> } = {
  writers: {
    "": { name: "Everyone", text: "Everyone with an account." },
    approved: {
      name: "Approved writers",
      text: "Choose them in the list of people. Everyone else can read, comment and like.",
    },
  },
  firstLinks: {
    "": { name: "Publish right away", text: "A new account can post only a few on its first day." },
    pending: {
      name: "Wait for a moderator or the author",
      text: "Each account’s first comment with a link needs approval, below the blog or at Reports. After that, comments with links are published right away.",
    },
  },
  signUpWork: {
    "": {
      name: "Slow down",
      text: "While a person fills in the form, their browser solves a small puzzle for about a second, which slows bots down. Sign-ups over the API are only limited by the settings below.",
    },
    only: { name: "Block", text: "As “Slow down”, and nobody can sign up over the API." },
    off: { name: "Allow", text: "The browser computes nothing." },
  },
};

export function SiteChoices({ settings }: { settings: SiteSettings }) {
  return (Object.keys(choices) as Name[]).map((name) => (
    <Choose key={name} name={name} chosen={settings[name]} options={choices[name]} />
  ));
}

function Choose({ name, chosen, options }: { name: Name; chosen: string; options: Choices<string> }) {
  const { shown, choose, reset } = useChoice(chosen);
  const { run } = useMutationMessage(trpc.administration.setSite.useMutation({ onError: reset }));
  return (
    <fieldset className="stack gap-2 staff-modes">
      <legend>{legends[name]}</legend>
      {Object.entries(options).map(([value, option]) => (
        <div key={value}>
          <label className="field-choice strong">
            <input
              type="radio"
              name={name}
              checked={shown === value}
              onChange={() => {
                choose(value);
                void run({ [name]: value });
              }}
            />
            {option.name}
          </label>
          <p className="note">{option.text}</p>
        </div>
      ))}
    </fieldset>
  );
}
