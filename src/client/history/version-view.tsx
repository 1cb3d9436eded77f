import { useMemo, useState } from "react";
import type { Ref } from "react";
import type { Version, VersionEntry } from "../../shared/versions.ts";
import { trpc } from "../api/trpc.ts";
import { normalDocument } from "../writing/text.ts";
import { Button } from "../ui/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useMediaQuery } from "../ui/use-media-query.ts";
import type { UploadState } from "../uploads/picture-upload.ts";
import { pictureProps } from "../blogs/cards/picture-props.ts";
import { emptyFields } from "../writing/draft-fields.ts";
import { trimDocument } from "../../shared/document/trim-document.ts";
import type { BlogFields } from "../writing/draft-fields.ts";
import { Changes, Prose } from "./changes.tsx";
import { renderText } from "./render-changes.ts";
import { exactText, nameOf, reasonText } from "./version-queries.ts";

/** The fields that a version restores. */
export type VersionFields = Pick<BlogFields, "title" | "description" | "tags" | "cover" | "document">;

/** What it is compared with: nothing, the previous version, the form, or another one by id. */
export type ComparedWith = "nothing" | "before" | "form" | (string & {});

interface Props {
  blogId: string;
  entry: VersionEntry;
  entries: readonly VersionEntry[];
  /** The form's content. */
  mine: BlogFields;
  coverUnderWay: UploadState | null;
  heading: Ref<HTMLHeadingElement>;
}

const inForm = "In the form now";

export const versionFields = ({
  title,
  description,
  tags,
  cover,
  document,
}: VersionFields): VersionFields => ({
  title,
  description,
  tags,
  cover,
  document,
});
const asFields = (version: VersionFields): BlogFields => ({ ...emptyFields(), ...version });

export function useVersion(blogId: string, version: string | null) {
  const query = trpc.blogs.version.useQuery(
    { id: blogId, version: version ?? "" },
    { enabled: version !== null, staleTime: Infinity },
  );
  const data = query.data as Version | undefined;
  const fields = useMemo(
    () => data && versionFields({ ...data, document: normalDocument(data.document) }),
    [data],
  );
  return { data: fields, error: query.error, refetch: query.refetch };
}

/** A version, or its differences from another version. */
export function VersionView({ blogId, entry, entries, mine, coverUnderWay, heading }: Props) {
  const [chosen, setChosen] = useState<ComparedWith>("before");
  const isBefore = chosen === "before" || chosen === entry.id;
  const comparedWith = isBefore && entry.previous === null ? "nothing" : isBefore ? "before" : chosen;
  const wide = useMediaQuery("(min-width: 48rem)");
  const [isSideBySide, setSideBySide] = useState(true);
  return (
    <section className="history-view stack gap-4" aria-labelledby="history-view">
      <h3 id="history-view" ref={heading} tabIndex={-1} className="history-heading">
        {reasonText(entry)} · <time dateTime={entry.createdAt}>{exactText(entry.createdAt)}</time>
      </h3>
      <div className="history-choices row wrap gap-3">
        <label className="history-beside stack gap-1">
          <span className="field-label">Show</span>
          <select
            className="field-box"
            value={comparedWith}
            onChange={({ target }) => setChosen(target.value)}
          >
            {entry.previous !== null && <option value="before">What changed</option>}
            <option value="nothing">The whole text</option>
            <option value="form">What differs from the form now</option>
            {entries.length > 1 && (
              <optgroup label="What differs from">
                {entries
                  .filter(({ id }) => id !== entry.id)
                  .map((other) => (
                    <option key={other.id} value={other.id}>
                      {nameOf(other)}
                    </option>
                  ))}
              </optgroup>
            )}
          </select>
        </label>
        {wide && comparedWith !== "nothing" && (
          <div className="history-ways" role="group" aria-label="How changes are shown">
            <Button aria-pressed={isSideBySide} onClick={() => setSideBySide(true)}>
              Side by side
            </Button>
            <Button aria-pressed={!isSideBySide} onClick={() => setSideBySide(false)}>
              Inline
            </Button>
          </div>
        )}
      </div>
      <VersionBody
        {...{ blogId, entry, entries, mine, coverUnderWay }}
        comparedWith={comparedWith}
        isSideBySide={wide && isSideBySide}
      />
    </section>
  );
}

function VersionBody({
  blogId,
  entry,
  entries,
  mine,
  coverUnderWay,
  comparedWith,
  isSideBySide,
}: Omit<Props, "heading"> & { comparedWith: ComparedWith; isSideBySide: boolean }) {
  const other =
    comparedWith === "before"
      ? entry.previous
      : comparedWith === "form" || comparedWith === "nothing"
        ? null
        : comparedWith;
  const one = useVersion(blogId, entry.id);
  const two = useVersion(blogId, other);
  const both = {
    data: one.data && (other === null || two.data) ? { one: one.data, two: two.data } : undefined,
    error: one.error ?? two.error,
    refetch: () => {
      if (one.error) void one.refetch();
      if (two.error) void two.refetch();
    },
  };
  return (
    <QueryResult query={both} noun="this version" fallback={<Skeleton height="14rem" />}>
      {(found) =>
        comparedWith === "nothing" ? (
          <Whole fields={found.one} />
        ) : (
          <Compared
            {...{ entry, mine, coverUnderWay, isSideBySide }}
            one={found.one}
            two={found.two}
            other={entries.find(({ id }) => id === other)}
          />
        )
      }
    </QueryResult>
  );
}

/** Shows the older one first; the form is the newest. */
function Compared({
  entry,
  one,
  two,
  other,
  mine,
  coverUnderWay,
  isSideBySide,
}: Pick<Props, "entry" | "mine" | "coverUnderWay"> & {
  one: VersionFields;
  two: VersionFields | undefined;
  other: VersionEntry | undefined;
  isSideBySide: boolean;
}) {
  const then = nameOf(entry);
  const isForm = two === undefined;
  const isOlder = isForm || (other !== undefined && other.createdAt > entry.createdAt);
  const fields = useMemo(
    () => ({ one: asFields(one), two: asFields(two ?? versionFields(mine)) }),
    [one, two, mine],
  );
  const called = isForm ? inForm : other ? nameOf(other) : "The one before";
  return (
    <Changes
      before={isOlder ? fields.one : fields.two}
      after={isOlder ? fields.two : fields.one}
      called={isOlder ? [then, called] : [called, then]}
      coverUnderWay={isForm ? coverUnderWay : null}
      isSideBySide={isSideBySide}
    />
  );
}

function Whole({ fields }: { fields: VersionFields }) {
  const { title, description, tags, cover } = fields;
  const html = useMemo(() => renderText(trimDocument(fields.document)), [fields]);
  return (
    <div className="history-whole stack">
      {cover && <img {...pictureProps(cover)} sizes="40rem" alt="" />}
      <h4 dir="auto">{title}</h4>
      {description && <p dir="auto">{description}</p>}
      {tags.length > 0 && <p className="note">{tags.map((tag) => `#${tag}`).join(" ")}</p>}
      <Prose html={html} />
    </div>
  );
}
