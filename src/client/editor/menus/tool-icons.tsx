import type { ReactNode } from "react";

const drawings = {
  undo: "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11",
  redo: "m15 14 5-5-5-5m5 5H9.5a5.5 5.5 0 0 0 0 11H13",
  bold: "M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z",
  italic: "M11 5h6M7 19h6M14 5l-4 14",
  underline: "M7 4v7a5 5 0 0 0 10 0V4M5 20h14",
  strike:
    "M5 12h14M16.5 7.5C15.8 6 14.2 5 12 5 9.5 5 7.6 6.3 7.6 8.3c0 1.5 1 2.5 2.4 3.2M7 16c.7 1.8 2.5 3 5 3 2.7 0 4.6-1.3 4.6-3.5 0-.7-.2-1.3-.5-1.8",
  code: "m8.5 7-5 5 5 5M15.5 7l5 5-5 5",
  sub: "m4 7 8 10M12 7 4 17M16 15.5c.3-.9 1-1.5 2-1.5s1.9.7 1.9 1.6c0 1.7-3.9 2.6-3.9 4.9h4",
  sup: "m4 9 8 10M12 9 4 19M16 5.5c.3-.9 1-1.5 2-1.5s1.9.7 1.9 1.6c0 1.7-3.9 2.6-3.9 4.9h4",
  bullets: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  numbers: "M10 6h10M10 12h10M10 18h10M4 4.5 5.5 4v5M4 14.5c.2-.9 2.5-.9 2.5.4 0 1.2-2.5 1.9-2.5 3.6h2.6",
  indent: "M4 5h16M11 10h9M11 14.5h9M4 19.5h16M4 9.5l3 2.8-3 2.8z",
  outdent: "M4 5h16M11 10h9M11 14.5h9M4 19.5h16M7 9.5l-3 2.8 3 2.8z",
  left: "M4 6h16M4 10h10M4 14h16M4 18h10",
  center: "M4 6h16M7 10h10M4 14h16M7 18h10",
  right: "M4 6h16M10 10h10M4 14h16M10 18h10",
  justify: "M4 6h16M4 10h16M4 14h16M4 18h16",
  quote: "M10 7.5C6.5 8 5 10 5 13.5V17h5v-5H7.5M19 7.5c-3.5.5-5 2.5-5 6V17h5v-5h-2.5",
  codeBlock: "M4 5h16v14H4zM9 9.5 6.8 12 9 14.5M15 9.5l2.2 2.5L15 14.5M12.8 9l-1.6 6",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",
  edit: "M4 20l1-4L16.5 4.5l3 3L8 19zM14.5 6.5l3 3",
  image: "M4 5h16v14H4zM4 16l4.5-4.5L13 16l2.5-2.5L20 18M15.5 9h.01",
  rule: "M4 12h16M8 6h8M8 18h8",
  signs: "M8 5C6.2 5.6 5 7.1 5 9.3V11h3V8.5H6.2M16 11c1.8-.6 3-2.1 3-4.3V5h-3v2.5h1.8M6 17h12",
  clean: "M6 5h12M11.5 5 9 15M14.5 15l5 5M19.5 15l-5 5M7 19h4",
  color: "m7 16 5-11 5 11M8.7 12.3h6.6",
  background: "m14.5 4.5 5 5-8 8H7.5l-1-1v-4zM6.5 16.5 4 19h4",
  heading1: "M4 6v12M12 6v12M4 12h8M16.5 14.8l2.2-1.3v6.6",
  heading2: "M4 6v12M12 6v12M4 12h8M16 13.5c.3-.9 1-1.5 2-1.5s1.9.7 1.9 1.6c0 1.7-3.9 2.6-3.9 4.9h4",
  tasks: "M4 4.5h5v5H4zM4 14.5h5v5H4zM13 7h7M13 17h7M5.2 7l1.1 1.1L8 5.8",
  pullQuote: "M4 4h16M4 20h16M11 8.5c-2 .4-3 1.7-3 3.8v2.7h3v-3H9.5M16.5 8.5c-2 .4-3 1.7-3 3.8v2.7h3v-3H15",
  note: "M12 3.8a8.2 8.2 0 1 0 0 16.4 8.2 8.2 0 0 0 0-16.4zM12 11v5M12 7.8v.2",
  tip: "M9.5 17.5h5M10.5 20.5h3M9 14.5c-1.8-1.2-2.8-3-2.8-5a5.8 5.8 0 0 1 11.6 0c0 2-1 3.8-2.8 5v3H9z",
  warning: "M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.2",
  fold: "m4 6 3 3 3-3M13 7.5h7M4 15h16M4 19.5h16",
  footnote: "M4 18 8.5 6 13 18M5.6 14h5.8M16.5 7.5 18.5 6v6",
  formula: "M17 7V5H6l6 7-6 7h11v-2",
  heading3:
    "M4 6v12M12 6v12M4 12h8M16 13.6h4l-2.3 2.5c1.6 0 2.5.7 2.5 1.9 0 1.3-1 2.1-2.2 2.1-1 0-1.8-.4-2.1-1.2",
  figureText: "M4 4.5h16M4 19.5h16M8 8.5h8v7H8z",
  figureWide: "M4 4.5h16M4 19.5h16M5 8.5h14v7H5z",
  figureFull: "M7 4.5h10M7 19.5h10M2 8.5h20v7H2z",
  beside: "M3.5 6.5h7v11h-7zM13.5 6.5h7v11h-7z",
  apart: "M5 4h14v6.5H5zM5 13.5h14V20H5z",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
  addRowAbove: "M4 13h16v6.5H4zM12 3.5V10M8.75 6.75h6.5",
  addRow: "M4 4.5h16V11H4zM12 14v6.5M8.75 17.25h6.5",
  addColumnBefore: "M13 4h6.5v16H13zM3.5 12H10M6.75 8.75v6.5",
  addColumn: "M4.5 4H11v16H4.5zM14 12h6.5M17.25 8.75v6.5",
  headerRow: "M4 5h16v14H4zM4 8h16M4 11h16M12 11v8",
  deleteRow: "M4 4.5h16V11H4zM9.5 14.75l5 5M14.5 14.75l-5 5",
  deleteColumn: "M4.5 4H11v16H4.5zM14.75 9.5l5 5M19.75 9.5l-5 5",
  caption: "M5 4h14v9.5H5zM4 17h16M8 20.5h8",
  remove: "M4 7h16M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.2 10.5v6M13.8 10.5v6",
} as const;

export type ToolIconName = keyof typeof drawings;

export function ToolIcon({ name, children }: { name: ToolIconName; children?: ReactNode }) {
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
      <path d={drawings[name]} />
      {children}
    </svg>
  );
}
