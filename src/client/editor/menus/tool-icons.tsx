import type { ReactNode } from "react";

export function ToolIcon({ path, children }: { path: string; children?: ReactNode }) {
  return (
    <svg
      className="icon"
      width={20}
      height={20}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
      {children}
    </svg>
  );
}
