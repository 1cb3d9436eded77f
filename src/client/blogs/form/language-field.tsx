import { useId } from "react";
import { languageNames } from "../../../shared/languages.ts";

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
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
