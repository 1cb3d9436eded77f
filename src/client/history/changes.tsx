import { useEffect, useMemo, useRef } from "react";
import { makeOverflowFocusable } from "../ui/overflow-focusable.ts";
import type { UploadState } from "../uploads/picture-upload.ts";
import { trimDocument } from "../../shared/document/trim-document.ts";
import type { BlogFields } from "../writing/draft-fields.ts";
import { differentFields } from "./differences.ts";
import { fieldLabels, renderField } from "./field-changes.tsx";
import { renderChanges } from "./render-changes.ts";
import type { RenderedRun } from "./render-changes.ts";

interface Props {
  before: BlogFields;
  after: BlogFields;
  /** The labels of the two. */
  called: readonly [string, string];
  coverUnderWay?: UploadState | null;
  isSideBySide: boolean;
}

/** The differences of two versions of a blog. */
export function Changes({ before, after, called, coverUnderWay = null, isSideBySide }: Props) {
  const fields = useMemo(
    () => differentFields(before, after, coverUnderWay !== null),
    [before, after, coverUnderWay],
  );
  const parts = useMemo(
    () => renderChanges(trimDocument(before.document), trimDocument(after.document)),
    [before, after],
  );
  const isSame = parts.every((part) => "same" in part);
  if (isSame && fields.length === 0) return <p className="note">Both versions are identical.</p>;
  return (
    <div className="changes stack gap-4" data-beside={isSideBySide || undefined}>
      {fields.map((name) => {
        const shown = renderField(name, before, after, coverUnderWay);
        return (
          <section key={name} aria-label={fieldLabels[name]}>
            <h4 className="changes-name field-label">{fieldLabels[name]}</h4>
            <div className="changes-sides stack gap-2">
              <Field side="before" called={called[0]}>
                {shown.before}
              </Field>
              <Field side="after" called={called[1]}>
                {shown.after}
              </Field>
            </div>
          </section>
        );
      })}
      <section aria-label="Text">
        <h4 className="changes-name field-label">Text</h4>
        {isSame ? (
          <p className="note">The text is the same.</p>
        ) : (
          <Text parts={parts} called={called} isSideBySide={isSideBySide} />
        )}
      </section>
    </div>
  );
}

function Field({
  side,
  called,
  children,
}: {
  side: "before" | "after";
  called: string;
  children: React.ReactNode;
}) {
  return (
    <div className="changes-side panel" data-side={side}>
      <span className="row field-label soft">{called}</span>
      <span className="changes-field" dir="auto">
        {children}
      </span>
    </div>
  );
}

function Text({
  parts,
  called,
  isSideBySide,
}: {
  parts: RenderedRun[];
  called: readonly [string, string];
  isSideBySide: boolean;
}) {
  return (
    <div className="changes-text stack">
      {isSideBySide && (
        <div className="changes-row field-label soft">
          <span>{called[0]}</span>
          <span>{called[1]}</span>
        </div>
      )}
      {/* They have no other identity. */}
      {parts.map((part, at) =>
        "same" in part ? (
          <details key={at} className="changes-same">
            <summary className="row gap-3 note">
              {part.count === 1
                ? "1 paragraph is the same"
                : `${part.count.toLocaleString("en")} paragraphs are the same`}
              <span>Show</span>
              <span>Hide</span>
            </summary>
            <Prose html={part.same} />
          </details>
        ) : isSideBySide ? (
          <div key={at} className="changes-row">
            <Prose html={part.before} />
            <Prose html={part.after} />
          </div>
        ) : (
          <Prose key={at} html={part.both} />
        ),
      )}
    </div>
  );
}

/** Renders HTML that passed the document's schema. */
export function Prose({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => (body.current ? makeOverflowFocusable(body.current) : undefined), [html]);
  return <div ref={body} className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
