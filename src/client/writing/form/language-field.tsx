import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { languageNames } from "../../../shared/languages.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { fetchCodeWithRetry } from "../../api/retry.ts";
import { codeLoader } from "../../ui/fetch-code.ts";
import { FieldError } from "../../ui/field.tsx";

interface Props {
  /** The language tag; empty to detect it from the text. */
  language: string;
  /** The language guessed from the text; empty if unsure. */
  guessed: string;
  error: string | undefined;
  onChange: (language: string) => void;
}

const byName = Object.entries(languageNames).toSorted(([, one], [, other]) => one.localeCompare(other, "en"));
const nameOf = (tag: string): string => languageNames[tag] ?? tag;

/** The language of a blog, for hyphens, quotation marks and screen readers. */
export function LanguageField({ language, guessed, error, onChange }: Props) {
  const id = useId();
  // The API accepts more exact tags.
  const isListed = language === "" || Object.hasOwn(languageNames, language);
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        Language
      </label>
      <select
        id={id}
        name="language"
        className="field-box"
        autoComplete="off"
        value={language}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">
          {guessed ? `Detect from the text (${nameOf(guessed)})` : "Detect from the text"}
        </option>
        {!isListed && <option value={language}>{language}</option>}
        {byName.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
      <FieldError id={id} error={error} />
    </div>
  );
}

/** Milliseconds without a change before the language is guessed again. */
const quiet = 1_000;
const loadGuess = codeLoader(() => import("../../../shared/guess-language.ts"));

/**
 * Guesses the language of the text as the server will when it is published; empty if unsure. `read` returns the text. Returns a
 * function as well, to be called when the text changes; another `textKey` is another text.
 */
export function useGuessedLanguage(read: () => NodeJson, textKey: string): [string, () => void] {
  const [language, setLanguage] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const guess = async (): Promise<void> => {
    try {
      const { guessLanguage } = await fetchCodeWithRetry(loadGuess);
      setLanguage(await guessLanguage(read() as Parameters<typeof guessLanguage>[0]));
    } catch {
      // Without the code the hint stays as it is.
    }
  };
  const guessNow = useEffectEvent(guess);
  useEffect(() => {
    timer.current = setTimeout(() => void guessNow(), 0);
    return () => clearTimeout(timer.current);
  }, [textKey]);
  const textChanged = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void guess(), quiet);
  };
  return [language, textChanged];
}
