import { useRef } from "react";
import type { ReactNode, RefObject } from "react";
import { limits } from "../../../shared/limits.ts";
import type { EditableBlog } from "../../../shared/blogs.ts";
import { TextArea } from "../../ui/field.tsx";
import { AuthorsSection } from "../../authors/authors-section.tsx";
import { AddressField } from "./address-field.tsx";
import { CoverField } from "./cover-field.tsx";
import type { Cover } from "./cover-upload.ts";
import { SearchEngineFields } from "./search-engine-fields.tsx";
import { LanguageField } from "./language-field.tsx";
import { useSteadyCaret } from "./caret.ts";
import { TagsField } from "./tags-field.tsx";
import type { TagsHandle } from "./tags-field.tsx";
import { maxLength } from "./blog-fields.ts";
import type { FieldErrors } from "./blog-fields.ts";
import type { BlogFields } from "../draft-fields.ts";
import type { DraftSession } from "../draft-session.ts";

interface Props {
  session: DraftSession;
  blog: EditableBlog | null;
  /** The blog whose authors are shown; null before the server knows it. */
  begunId: string | null;
  /** Counts the drafts shown. */
  draftKey: number;
  fields: BlogFields;
  guessedLanguage: string;
  errors: FieldErrors;
  cover: Cover;
  tags: RefObject<TagsHandle | null>;
  isReading: boolean;
  onChange: (change: Partial<BlogFields>) => void;
  /** Rendered above the fields. */
  children: ReactNode;
}

/** The fields beside title and text, and the authors. */
export function AboutFields(props: Props) {
  const { session, blog, begunId, draftKey, fields, errors, cover, tags, isReading, onChange, children } =
    props;
  const description = useRef<HTMLTextAreaElement>(null);
  useSteadyCaret(description, fields.description);
  return (
    <div className="blog-form-about stack gap-5">
      {children}
      <fieldset className="blog-form-lock" disabled={isReading}>
        <CoverField cover={cover} error={errors.cover} />
        <TextArea
          ref={description}
          label="Description"
          name="description"
          rows={3}
          autoComplete="off"
          placeholder="What it is about, in two lines"
          value={fields.description}
          maxLength={maxLength(fields.description, limits.description.max)}
          counter={{ value: fields.description, max: limits.description.max }}
          error={errors.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
        <TagsField
          // Another draft does not inherit a half-typed tag; the first one does.
          key={Math.max(1, draftKey)}
          tags={fields.tags}
          handle={tags}
          error={errors.tags}
          onChange={(chosen) => onChange({ tags: chosen })}
          onTyping={() => session.open?.changed()}
        />
        <AddressField
          key={`address ${Math.max(1, draftKey)}`}
          current={blog?.slug ?? null}
          requestedSlug={fields.address}
          error={errors.address}
          onChange={(address) => onChange({ address })}
        />
        {begunId !== null && (
          <AuthorsSection
            key={begunId}
            blogId={begunId}
            title={fields.title}
            settle={() => session.sendAll()}
          />
        )}
        <LanguageField
          language={fields.language}
          guessed={props.guessedLanguage}
          error={errors.language}
          onChange={(language) => onChange({ language })}
        />
        <SearchEngineFields
          fields={fields}
          slug={fields.address || blog?.slug || ""}
          errors={errors}
          onChange={onChange}
        />
      </fieldset>
    </div>
  );
}
