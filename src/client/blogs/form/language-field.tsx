import { useId } from "react";
import { languageNames } from "../../../shared/languages.ts";

interface Props {
  /** By its tag; empty: as the text tells. */
  language: string;
  /** What the server takes the text for. */
  guessed: string | undefined;
  error: string | undefined;
  onChange: (language: string) => void;
}

const byName = Object.entries(languageNames).toSorted(([, one], [, other]) => one.localeCompare(other, "en"));
const nameOf = (tag: string): string => languageNames[tag] ?? tag;

/** What a blog is written in: hyphens, quotation marks and whoever reads it out hang on it. */
export function LanguageField({ language, guessed, error, onChange }: Props) {
  const id = useId();
  // By the API it may have been said more exactly.
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
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
