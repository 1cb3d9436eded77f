import { useId, useLayoutEffect, useState } from "react";
import type { ChangeEvent, ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "./field.css";

interface Frame {
  label: string;
  /** The error, announced and tied to the field. */
  error?: string | null | undefined;
  hint?: ReactNode;
  /** Shows how many characters are left of `max`, in code points. */
  counter?: { value: string; max: number };
  /** Only screen readers get the label. */
  isLabelHidden?: boolean;
}

function useFrame({ error, hint, counter }: Frame) {
  const id = useId();
  const notes = [hint ? `${id}-hint` : "", counter ? `${id}-left` : "", error ? `${id}-error` : ""]
    .filter(Boolean)
    .join(" ");
  return {
    id,
    box: { id, "aria-invalid": error ? (true as const) : undefined, "aria-describedby": notes || undefined },
  };
}

type Box = HTMLInputElement | HTMLTextAreaElement;

/** Reports what was typed before hydration, which otherwise only the next letter would. */
function useEarlyInput<Of extends Box>(
  id: string,
  value: ComponentProps<"input">["value"],
  onChange: ((event: ChangeEvent<Of>) => void) | undefined,
): void {
  // Before an early click on a button is replayed.
  useLayoutEffect(() => {
    const input = document.getElementById(id) as Of;
    if (typeof value === "string" && input.value !== value)
      onChange?.({ target: input, currentTarget: input } as ChangeEvent<Of>);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);
}

function Field({
  id,
  label,
  error,
  hint,
  counter,
  isLabelHidden,
  children,
}: Frame & { id: string; children: ReactNode }) {
  const remaining = counter ? counter.max - [...counter.value].length : 0;
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? "visually-hidden" : "field-label"}>
        {label}
      </label>
      {children}
      {(hint || counter) && (
        <div className="row top between gap-4 note field-notes">
          {hint && <span id={`${id}-hint`}>{hint}</span>}
          {counter && (
            <span
              id={`${id}-left`}
              className="field-counter tabular"
              data-near={remaining <= counter.max / 5 || undefined}
              data-over={remaining < 0 || undefined}
            >
              {remaining} <span className="visually-hidden">characters left</span>
            </span>
          )}
        </div>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** Announces the error of the field with this id, which names it by `${id}-error`. */
export const FieldError = ({ id, error }: { id: string; error: string | null | undefined }) => (
  <p id={`${id}-error`} className="danger small field-error" role="alert" hidden={!error}>
    {error}
  </p>
);

export function TextField({
  label,
  error,
  hint,
  counter,
  isLabelHidden,
  className,
  ...rest
}: Frame & ComponentProps<"input">) {
  const frame = { label, error, hint, counter, isLabelHidden } as Frame;
  const { id, box } = useFrame(frame);
  useEarlyInput(id, rest.value, rest.onChange);
  return (
    <Field id={id} {...frame}>
      <input type="text" {...rest} {...box} className={`field-box${className ? ` ${className}` : ""}`} />
    </Field>
  );
}

/** Grows with its text where the browser supports `field-sizing`; `rows` is the minimum. */
export function TextArea({
  label,
  error,
  hint,
  counter,
  isLabelHidden,
  className,
  ...rest
}: Frame & ComponentProps<"textarea">) {
  const frame = { label, error, hint, counter, isLabelHidden } as Frame;
  const { id, box } = useFrame(frame);
  useEarlyInput(id, rest.value, rest.onChange);
  return (
    <Field id={id} {...frame}>
      <textarea
        rows={3}
        {...rest}
        {...box}
        className={`field-box field-area${className ? ` ${className}` : ""}`}
      />
    </Field>
  );
}

export function PasswordField({
  label,
  error,
  hint,
  ...rest
}: Frame & Omit<ComponentProps<"input">, "type">) {
  const frame = { label, error, hint } as Frame;
  const { id, box } = useFrame(frame);
  const [isVisible, setVisible] = useState(false);
  return (
    <Field id={id} {...frame}>
      <div className="field-row">
        <input
          {...rest}
          {...box}
          type={isVisible ? "text" : "password"}
          className="field-box"
          autoCapitalize="none"
          spellCheck={false}
        />
        <button
          type="button"
          className="stack center muted hover-ink field-reveal"
          aria-label="Show password"
          aria-pressed={isVisible}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon name={isVisible ? "eye-off" : "eye"} />
        </button>
      </div>
    </Field>
  );
}
