import { useEffect, useMemo, useRef } from "react";
import { keepReachable } from "../../../ui/keep-reachable.ts";
import type { UnderWay } from "../../../uploads/sending.ts";
import { differingFields } from "../compare-rules.ts";
import { names, sameText, shownField } from "../compare-parts.tsx";
import { trimmed } from "../../../../shared/document/trimmed.ts";
import type { BlogFields } from "../values.ts";
import { drawChanges } from "./drawn-changes.ts";
import type { Drawn } from "./drawn-changes.ts";

interface Props {
  before: BlogFields;
  after: BlogFields;
  /** What the two are called. */
  called: readonly [string, string];
  /** A cover that was chosen for `after` and is not stored. */
  coverUnderWay?: UnderWay | null;
  beside: boolean;
}

/** What differs between two versions of a blog: the fields by their names, and the text with what is gone and what has come. */
export function Changes({ before, after, called, coverUnderWay = null, beside }: Props) {
  const fields = useMemo(
    () => differingFields(before, after, null, coverUnderWay !== null),
    [before, after, coverUnderWay],
  );
  const parts = useMemo(
    () => drawChanges(trimmed(before.document), trimmed(after.document)),
    [before, after],
  );
  const isSame = parts.every((part) => "same" in part);
  if (isSame && fields.length === 0) return <p className="history-nothing">Both versions are identical.</p>;
  return (
    <div className="compare changes" data-beside={beside || undefined}>
      {fields.map(({ name }) => {
        const shown = shownField(name, before, after, coverUnderWay);
        return (
          <section key={name} className="compare-item" aria-label={names[name]}>
            <h4 className="changes-name">{names[name]}</h4>
            <div className="compare-sides">
              <Field side="theirs" called={called[0]}>
                {shown.theirs}
              </Field>
              <Field side="mine" called={called[1]}>
                {shown.mine}
              </Field>
            </div>
          </section>
        );
      })}
      <section className="compare-item" aria-label="Text">
        <h4 className="changes-name">Text</h4>
        {isSame ? (
          <p className="history-nothing">The text is the same.</p>
        ) : (
          <Text parts={parts} called={called} beside={beside} />
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
  side: "theirs" | "mine";
  called: string;
  children: React.ReactNode;
}) {
  return (
    <div className="compare-side" data-side={side}>
      <span className="compare-name">{called}</span>
      <span className="compare-text" dir="auto">
        {children}
      </span>
    </div>
  );
}

function Text({
  parts,
  called,
  beside,
}: {
  parts: Drawn[];
  called: readonly [string, string];
  beside: boolean;
}) {
  return (
    <div className="changes-text">
      {beside && (
        <div className="changes-row changes-called">
          <span>{called[0]}</span>
          <span>{called[1]}</span>
        </div>
      )}
      {/* The order is all that tells one from another. */}
      {parts.map((part, at) =>
        "same" in part ? (
          <details key={at} className="changes-same">
            <summary className="compare-same">
              {sameText(part.count)}
              <span>Show</span>
              <span>Hide</span>
            </summary>
            <Prose html={part.same} />
          </details>
        ) : beside ? (
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

/** A text that went through the document's schema. */
export function Prose({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => (body.current ? keepReachable(body.current) : undefined), [html]);
  return <div ref={body} className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
