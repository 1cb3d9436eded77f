import type { ReactNode } from "react";
import "./page-parts.css";

/** Shown in place of an empty list: what would be here, and the next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="stack gap-2 start empty">
      <p className="title-xl empty-title">{title}</p>
      {children && <div className="muted empty-text">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
