import { useRef } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { Icon } from "../ui/icon.tsx";
import { AddForm } from "./add-form.tsx";
import { MutedPeople } from "./blocked-people.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { useSettings } from "./use-settings.ts";

/** Normalizes a muted word for storage; a leading `#` makes it a tag. */
const asWord = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .trim()
    .toLowerCase()
    .replace(/^[#＃]+\s*/u, "#");

function problemOf(mutedWords: readonly string[], word: string): string | null {
  if (!/[^#\s]/u.test(word)) return "Enter a word first.";
  if ([...word].length > limits.mutedWords.length)
    return `This word is too long. Use at most ${limits.mutedWords.length} characters.`;
  if (mutedWords.includes(word)) return "You’ve already muted that.";
  return mutedWords.length >= limits.mutedWords.max
    ? `You can mute up to ${limits.mutedWords.max} words.`
    : null;
}

export function MutedSettings({ viewer }: { viewer: Viewer }) {
  const change = useSettings(viewer);
  const { mutedWords } = viewer;
  const input = useRef<HTMLInputElement>(null);
  const add = (word: string): void =>
    change((now) => ({ mutedWords: [...now.mutedWords.filter((mutedWord) => mutedWord !== word), word] }));
  const remove = (word: string): void => {
    input.current?.focus();
    change((now) => ({ mutedWords: now.mutedWords.filter((mutedWord) => mutedWord !== word) }));
  };
  return (
    <SettingsSection name="muted">
      <p className="soft">
        Muted people, words and tags don’t appear in your feed, search, recommendations or notifications, and
        their comments are collapsed. Nobody is notified.
      </p>
      <MutedPeople />
      {mutedWords.length > 0 && (
        <ul className="row wrap" aria-label="Muted words and tags">
          {mutedWords.map((word) => (
            <li key={word} className="chip ink framed round interest">
              <bdi>{word}</bdi>
              <button
                type="button"
                className="icon-button round interest-act"
                aria-label={`Unmute ${word}`}
                onClick={() => remove(word)}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <AddForm
        input={input}
        label="Mute a word or a #tag"
        action="Mute"
        maxLength={limits.mutedWords.length * 2}
        problemOf={(text) => problemOf(mutedWords, asWord(text))}
        onAdd={(text) => add(asWord(text))}
      />
    </SettingsSection>
  );
}
