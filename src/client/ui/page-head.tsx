import type { ReactNode } from "react";
import "./page-head.css";

/** The heading of a plain page, with what can be done to the whole of it. What stands under it may change: it is read out politely. */
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
