import type { ReactNode } from "react";
import "./page-head.css";

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
    <header className="page-head">
      <div>
        <h1 className="page-title">{title}</h1>
        {children !== undefined && (
          <p className="page-note" role="status">
            {children}
          </p>
        )}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  );
}
