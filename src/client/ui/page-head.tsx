import type { ReactNode } from "react";
import "./page-parts.css";

/** A page's heading with its actions. Changes of the text below are announced politely. */
export function PageHead({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className="row wrap between page-head">
      <div className="stack gap-1">
        <h1 className="size-2xl">{title}</h1>
        {children !== undefined && (
          <p className="note tabular" role="status">
            {children}
          </p>
        )}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  );
}
