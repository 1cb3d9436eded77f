import { useMemo, useState } from "react";
import type { Ref } from "react";
import type { Revision, RevisionEntry } from "../../../../shared/revisions.ts";
import { trpc } from "../../../api/trpc.ts";
import { normalDocument } from "../../../editor/sync/code.ts";
import { Button } from "../../../ui/button.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useWide } from "../../../ui/use-wide.ts";
import type { UnderWay } from "../../../uploads/sending.ts";
import { pictureProps } from "../../cards/picture-props.ts";
import { emptyFields } from "../values.ts";
import { trimmed } from "../../../../shared/document/trimmed.ts";
import type { BlogFields } from "../values.ts";
import { Changes, Prose } from "./changes.tsx";
import { drawText } from "./drawn-changes.ts";
import { exactText, nameOf, whyText } from "./revision-queries.ts";

/** What a revision takes back: the fields that it has. */
export type Said = Pick<BlogFields, "title" | "description" | "tags" | "cover" | "document">;

/** What it is looked at beside: nothing, the one before, what the form holds, or another one by its id. */
export type Beside = "nothing" | "before" | "form" | (string & {});

interface Props {
  blogId: string;
  entry: RevisionEntry;
  entries: readonly RevisionEntry[];
  /** What the form holds. */
  mine: BlogFields;
  coverUnderWay: UnderWay | null;
  heading: Ref<HTMLHeadingElement>;
}

const inForm = "In the form now";

export const saidOf = ({ title, description, tags, cover, document }: Said): Said => ({
  title,
  description,
  tags,
  cover,
  document,
});
const asFields = (said: Said): BlogFields => ({ ...emptyFields(), ...said });

/** What one's blog said then; asked for once. */
export function useRevision(blogId: string, revision: string | null) {
  const asked = trpc.blogs.revision.useQuery(
    { id: blogId, revision: revision ?? "" },
    { enabled: revision !== null, staleTime: Infinity },
  );
  const data = asked.data as Revision | undefined;
  const said = useMemo(() => data && saidOf({ ...data, document: normalDocument(data.document) }), [data]);
  return { data: said, error: asked.error, refetch: asked.refetch };
}

/** One revision as the page shows it, or what differs between it and another one. */
export function RevisionView({ blogId, entry, entries, mine, coverUnderWay, heading }: Props) {
  const [wanted, setBeside] = useState<Beside>("before");
  const isBefore = wanted === "before" || wanted === entry.id;
  const beside = isBefore && entry.previous === null ? "nothing" : isBefore ? "before" : wanted;
  const wide = useWide("(min-width: 48rem)");
  const [isBeside, setIsBeside] = useState(true);
  return (
    <section className="history-view" aria-labelledby="history-view">
      <h3 id="history-view" ref={heading} tabIndex={-1} className="history-heading">
        {whyText(entry)} · <time dateTime={entry.createdAt}>{exactText(entry.createdAt)}</time>
      </h3>
      <div className="history-choices">
        <label className="history-beside">
          <span className="field-label">Show</span>
          <select className="field-box" value={beside} onChange={({ target }) => setBeside(target.value)}>
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
        {wide && beside !== "nothing" && (
          <div className="history-ways" role="group" aria-label="How changes are shown">
            <Button aria-pressed={isBeside} onClick={() => setIsBeside(true)}>
              Side by side
            </Button>
            <Button aria-pressed={!isBeside} onClick={() => setIsBeside(false)}>
              Inline
            </Button>
          </div>
        )}
      </div>
      <Shown
        {...{ blogId, entry, entries, mine, coverUnderWay }}
        beside={beside}
        isBeside={wide && isBeside}
      />
    </section>
  );
}

function Shown({
  blogId,
  entry,
  entries,
  mine,
  coverUnderWay,
  beside,
  isBeside,
}: Omit<Props, "heading"> & { beside: Beside; isBeside: boolean }) {
  const other =
    beside === "before" ? entry.previous : beside === "form" || beside === "nothing" ? null : beside;
  const one = useRevision(blogId, entry.id);
  const two = useRevision(blogId, other);
  const both = {
    data: one.data && (other === null || two.data) ? { one: one.data, two: two.data } : undefined,
    error: one.error ?? two.error,
    refetch: () => {
      if (one.error) void one.refetch();
      if (two.error) void two.refetch();
    },
  };
  return (
    <Loaded asked={both} what="this version" waiting={<Skeleton height="14rem" />}>
      {(found) =>
        beside === "nothing" ? (
          <Whole said={found.one} />
        ) : (
          <Compared
            {...{ entry, mine, coverUnderWay, isBeside }}
            one={found.one}
            two={found.two}
            other={entries.find(({ id }) => id === other)}
          />
        )
      }
    </Loaded>
  );
}

/** The older of the two comes first; what stands in the form is the newest. */
function Compared({
  entry,
  one,
  two,
  other,
  mine,
  coverUnderWay,
  isBeside,
}: Pick<Props, "entry" | "mine" | "coverUnderWay"> & {
  one: Said;
  two: Said | undefined;
  other: RevisionEntry | undefined;
  isBeside: boolean;
}) {
  const then = nameOf(entry);
  const isForm = two === undefined;
  const isOlder = isForm || (other !== undefined && other.createdAt > entry.createdAt);
  const fields = useMemo(
    () => ({ one: asFields(one), two: asFields(two ?? saidOf(mine)) }),
    [one, two, mine],
  );
  const called = isForm ? inForm : other ? nameOf(other) : "The one before";
  return (
    <Changes
      before={isOlder ? fields.one : fields.two}
      after={isOlder ? fields.two : fields.one}
      called={isOlder ? [then, called] : [called, then]}
      coverUnderWay={isForm ? coverUnderWay : null}
      beside={isBeside}
    />
  );
}

/** As the page shows it. */
function Whole({ said }: { said: Said }) {
  const { title, description, tags, cover } = said;
  const html = useMemo(() => drawText(trimmed(said.document)), [said]);
  return (
    <div className="history-whole">
      {cover && <img {...pictureProps(cover)} sizes="40rem" alt="" />}
      <h4 className="history-whole-title" dir="auto">
        {title}
      </h4>
      {description && <p dir="auto">{description}</p>}
      {tags.length > 0 && <p className="history-tags">{tags.map((tag) => `#${tag}`).join(" ")}</p>}
      <Prose html={html} />
    </div>
  );
}
