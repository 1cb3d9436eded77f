import { useRef } from "react";
import type { ReactNode } from "react";
import { useKeptFocus } from "../ui/keep-focus.ts";

interface Props {
  label: ReactNode;
  /** What it is besides its label. */
  children: ReactNode;
  /** What can be done with it. */
  action?: ReactNode;
  title?: string | undefined;
}

/** One thing in a list of settings, with what can be done with it beside it. */
export function SettingsRow({ label, title, action, children }: Props) {
  const row = useRef<HTMLLIElement>(null);
  // To the heading: what is next would concern another row without a question.
  useKeptFocus(row, useRef(false));
  return (
    <li className="settings-row" ref={row}>
      <div>
        <p className="settings-label" title={title}>
          {label}
        </p>
        <p className="settings-said">{children}</p>
      </div>
      {action && <div className="settings-acts">{action}</div>}
    </li>
  );
}
