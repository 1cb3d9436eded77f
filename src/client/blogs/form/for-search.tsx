import { useState } from "react";
import { searchLimits } from "../../../shared/for-search.ts";
import { routes } from "../../../shared/routes.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import { useSite } from "../../session/site.ts";
import { forSearch, maxLength } from "./values.ts";
import type { BlogFields, FieldErrors, ForSearch } from "./values.ts";
import "./for-search.css";

interface Props {
  fields: Pick<BlogFields, "title" | "description" | ForSearch>;
  /** The address that it has, or is to have; empty where the title makes it. */
  slug: string;
  errors: FieldErrors;
  onChange: (change: Partial<Pick<BlogFields, ForSearch>>) => void;
}

/** What search engines are told of a blog, folded away until somebody wants it: most say all with title and description. */
export function ForSearchFields({ fields, slug, errors, onChange }: Props) {
  const site = useSite();
  const [isOpen, setOpen] = useState(false);
  const isWrong = forSearch.some((name) => errors[name]);
  const { canonicalUrl, searchTitle, searchDescription } = fields;
  const address = canonicalUrl.trim() || site.publicUrl + routes.blog(slug || "…");
  return (
    <details
      className="blog-form-fold for-search"
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Search engines
        {!isOpen && forSearch.some((name) => fields[name].trim() !== "") && (
          <span> · with their own text</span>
        )}
      </summary>
      <TextField
        label="Published elsewhere first"
        name="canonicalUrl"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        maxLength={searchLimits.canonicalUrl}
        value={canonicalUrl}
        error={errors.canonicalUrl}
        hint="Search engines will link there."
        onChange={(event) => onChange({ canonicalUrl: event.target.value })}
        onKeyDown={stay}
      />
      <TextField
        label="Name in search results"
        name="searchTitle"
        autoComplete="off"
        placeholder={fields.title}
        maxLength={maxLength(searchTitle, searchLimits.title)}
        value={searchTitle}
        error={errors.searchTitle}
        onChange={(event) => onChange({ searchTitle: event.target.value })}
        onKeyDown={stay}
      />
      <TextArea
        label="Summary in search results"
        name="searchDescription"
        rows={2}
        autoComplete="off"
        placeholder={fields.description}
        maxLength={maxLength(searchDescription, searchLimits.description)}
        value={searchDescription}
        error={errors.searchDescription}
        onChange={(event) => onChange({ searchDescription: event.target.value })}
      />
      <figure className="for-search-look">
        <figcaption>How it might appear</figcaption>
        <p className="for-search-address">{address}</p>
        <p className="for-search-title">
          {searchTitle.trim() || fields.title.trim() || "Its title"} · {site.name}
        </p>
        <p className="for-search-text">
          {searchDescription.trim() || fields.description.trim() || "The beginning of the text."}
        </p>
      </figure>
    </details>
  );
}

/** A form's line would send it. */
const stay = (event: React.KeyboardEvent): void => {
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
};
