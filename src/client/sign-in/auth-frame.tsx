import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import "./auth.css";

/** The frame of the pages for sign-in, sign-up and emailed links. The focus follows a changed title. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shownTitle = useRef(title);
  useEffect(() => {
    if (shownTitle.current !== title) heading.current?.focus();
    shownTitle.current = title;
  }, [title]);
  return (
    <div className="page auth">
      <div className="stack gap-5 auth-card">
        <h1 ref={heading} className="size-2xl" tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </div>
  );
}
