import { useId } from "react";
import type { ReactNode } from "react";

interface Props {
  label: string;
  children: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function SettingSwitch({ label, children, checked, onChange }: Props) {
  const id = useId();
  return (
    <div className="setting hairline-top">
      <label htmlFor={id} className="row medium setting-label">
        {label}
      </label>
      <input
        id={id}
        className="framed round setting-switch"
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <p className="note measure" id={`${id}-hint`}>
        {children}
      </p>
    </div>
  );
}
