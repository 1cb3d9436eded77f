import { useRef, useState } from "react";
import type { FormEvent } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { HiddenPeople } from "./hidden-people.tsx";
import { useSettings } from "./use-settings.ts";

/** A word as it is kept; `#` before it makes it a tag. */
const asWord = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .trim()
    .toLowerCase()
    .replace(/^#+\s*/, "#");

function problemOf(words: readonly string[], word: string): string | null {
  if (!/[^#\s]/u.test(word)) return "Please write a word first.";
  if ([...word].length > limits.mutedWords.length)
    return `A word is too long: at most ${limits.mutedWords.length} characters.`;
  if (words.includes(word)) return "You have muted that already.";
  return words.length >= limits.mutedWords.max ? `At most ${limits.mutedWords.max} words.` : null;
}

/** What one does not want to see in lists: people, words and tags. */
export function MutedSettings({ viewer }: { viewer: Viewer }) {
  const change = useSettings(viewer);
  const { mutedWords: words } = viewer;
  const [problem, setProblem] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const { current } = box;
    if (!current) return;
    const word = asWord(current.value);
    const found = problemOf(words, word);
    setProblem(found);
    current.focus();
    if (found) return;
    current.value = "";
    change((now) => ({ mutedWords: [...now.mutedWords.filter((one) => one !== word), word] }));
  };
  const remove = (word: string): void => {
    box.current?.focus();
    change((now) => ({ mutedWords: now.mutedWords.filter((one) => one !== word) }));
  };
  return (
    <section className="settings-part" aria-labelledby="settings-muted">
      <h2 id="settings-muted">Muted</h2>
      <p className="settings-text">
        What you mute stands in no feed, search, recommendation or notice of yours, and in a talk it is folded
        away. Nobody is told.
      </p>
      <HiddenPeople way="muted" nobody="You have muted nobody. The menu beside somebody’s name does it." />
      {words.length > 0 && (
        <ul className="interest-list" aria-label="Muted words and tags">
          {words.map((word) => (
            <li key={word} className="interest">
              <bdi>{word}</bdi>
              <button
                type="button"
                className="interest-act"
                aria-label={`Unmute ${word}`}
                onClick={() => remove(word)}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="interest-add" noValidate onSubmit={add} onInput={() => problem && setProblem(null)}>
        <TextField
          ref={box}
          label="Mute a word or a #tag"
          error={problem}
          maxLength={limits.mutedWords.length * 2}
          autoComplete="off"
        />
        <Button type="submit">Mute</Button>
      </form>
    </section>
  );
}
