import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { limits } from "../../../shared/limits.ts";
import { slugHint } from "../../../shared/slug.ts";
import { Button } from "../../ui/button.tsx";
import { FieldError } from "../../ui/field.tsx";
import { ignoreEnter } from "./form-keys.ts";

interface Props {
  /** The blog's current slug; null before it has one. */
  current: string | null;
  /** The requested slug; empty for none. */
  requestedSlug: string;
  error: string | undefined;
  onChange: (requestedSlug: string) => void;
}

/** Normalizes a slug while it is typed. */
const normalizeSlug = (value: string): string => value.toLowerCase().replace(/[\s_]+/g, "-");

export function AddressField({ current, requestedSlug, error, onChange }: Props) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = isOpen || requestedSlug !== "" || Boolean(error);
  return (
    <div className="field">
      {open ? (
        <label htmlFor={id} className="field-label">
          Address
        </label>
      ) : (
        <span className="field-label">Address</span>
      )}
      {open ? (
        <>
          <div className="row">
            <span className="note" aria-hidden="true">
              /blog/
            </span>
            <input
              ref={box}
              id={id}
              className="field-box grow"
              name="address"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={limits.slug.max}
              value={requestedSlug}
              placeholder={current ?? "made from the title"}
              aria-invalid={error ? true : undefined}
              aria-describedby={`${id}-hint${error ? ` ${id}-error` : ""}`}
              onChange={(event) => onChange(normalizeSlug(event.target.value))}
              onKeyDown={ignoreEnter}
            />
          </div>
          <div className="row top between gap-4 note field-notes" id={`${id}-hint`}>
            <span>{current === null ? slugHint : "The old address will lead to the new one."}</span>
          </div>
          <div>
            <Button
              size="s"
              onClick={() => {
                flushSync(() => {
                  onChange("");
                  setOpen(false);
                });
                button.current?.focus();
              }}
            >
              {current === null ? "Make it from the title" : "Keep it as it is"}
            </Button>
          </div>
        </>
      ) : (
        <div className="row">
          <span className="grow clip soft small">
            {current === null ? "Made from the title" : `/blog/${current}`}
          </span>
          <Button
            ref={button}
            size="s"
            aria-label="Change the address"
            onClick={() => {
              flushSync(() => setOpen(true));
              box.current?.focus();
            }}
          >
            Change
          </Button>
        </div>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}
