import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import "./auth.css";

/** The quiet page that signing in, signing up and confirming an address share. Where its title changes, the focus goes there. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  useEffect(() => {
    if (shown.current !== title) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <div className="page auth">
      <div className="auth-card">
        <h1 ref={heading} className="auth-title" tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </div>
  );
}
