import { useRef } from "react";
import type { ReactNode } from "react";
import { useFocusAfterRemoval } from "../ui/focus-after-removal.ts";

interface Props {
  label: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  title?: string | undefined;
}

export function SettingsRow({ label, title, action, children }: Props) {
  const row = useRef<HTMLLIElement>(null);
  // To the heading: the next row's button would act on another row, without a question.
  useFocusAfterRemoval(row, useRef(false));
  return (
    <li className="row gap-4 settings-row" ref={row}>
      <div className="grow">
        <p className="medium" title={title}>
          {label}
        </p>
        <p className="note">{children}</p>
      </div>
      {action && <div className="row wrap">{action}</div>}
    </li>
  );
}
