import { useId } from "react";

interface Props {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** Drawn as a switch. */
  isSwitch?: boolean;
}

/** A checkbox of the publish sheet, with an explanation. */
export function FormOption({ label, hint, checked, onChange, disabled = false, isSwitch = false }: Props) {
  const id = useId();
  return (
    <div className="blog-form-option" data-disabled={disabled || undefined}>
      <input
        id={id}
        type="checkbox"
        className={isSwitch ? "blog-form-switch" : undefined}
        autoComplete="off"
        checked={checked}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-hint`}>{hint}</p>
    </div>
  );
}
