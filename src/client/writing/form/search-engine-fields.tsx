import { useState } from "react";
import { searchEngineLimits } from "../../../shared/search-engine-fields.ts";
import { routes } from "../../../shared/routes.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import { ignoreEnter } from "./form-keys.ts";
import { useSite } from "../../session/site.ts";
import { maxLength } from "./blog-fields.ts";
import { forSearch } from "../draft-fields.ts";
import type { FieldErrors } from "./blog-fields.ts";
import type { BlogFields, ForSearch } from "../draft-fields.ts";

interface Props {
  fields: Pick<BlogFields, "title" | "description" | ForSearch>;
  /** The current or requested slug, if any. */
  slug: string;
  errors: FieldErrors;
  onChange: (change: Partial<Pick<BlogFields, ForSearch>>) => void;
}

/** The fields for search engines, folded: most blogs do not need them. */
export function SearchEngineFields({ fields, slug, errors, onChange }: Props) {
  const site = useSite();
  const [isOpen, setOpen] = useState(false);
  const isWrong = forSearch.some((name) => errors[name]);
  const { canonicalUrl, searchTitle, searchDescription } = fields;
  const address = canonicalUrl.trim() || site.publicUrl + routes.blog(slug || "…");
  return (
    <details
      className="blog-form-fold for-search hairline-top"
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
        maxLength={searchEngineLimits.canonicalUrl}
        value={canonicalUrl}
        error={errors.canonicalUrl}
        hint="Search engines will link there."
        onChange={(event) => onChange({ canonicalUrl: event.target.value })}
        onKeyDown={ignoreEnter}
      />
      <TextField
        label="Name in search results"
        name="searchTitle"
        autoComplete="off"
        placeholder={fields.title}
        maxLength={maxLength(searchTitle, searchEngineLimits.title)}
        value={searchTitle}
        error={errors.searchTitle}
        onChange={(event) => onChange({ searchTitle: event.target.value })}
        onKeyDown={ignoreEnter}
      />
      <TextArea
        label="Summary in search results"
        name="searchDescription"
        rows={2}
        autoComplete="off"
        placeholder={fields.description}
        maxLength={maxLength(searchDescription, searchEngineLimits.description)}
        value={searchDescription}
        error={errors.searchDescription}
        onChange={(event) => onChange({ searchDescription: event.target.value })}
      />
      <figure className="for-search-look panel">
        <figcaption className="muted size-xs">How it might appear</figcaption>
        <p className="muted size-xs">{address}</p>
        <p className="for-search-title">
          {searchTitle.trim() || fields.title.trim() || "Its title"} · {site.name}
        </p>
        <p className="soft small">
          {searchDescription.trim() || fields.description.trim() || "The beginning of the text."}
        </p>
      </figure>
    </details>
  );
}
