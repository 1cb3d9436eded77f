import type { ComponentProps, MouseEvent } from "react";
import "./button.css";

type Kind = "primary" | "plain" | "quiet" | "danger";

interface Look {
  kind?: Kind;
  size?: "s" | "m";
}

function classes({ kind = "plain", size = "m" }: Look, more: string | undefined): string {
  return `button button-${kind}${size === "s" ? " button-small" : ""}${more ? ` ${more}` : ""}`;
}

/** While `busy` it keeps its focus and its name, but answers no click. */
export function Button({
  kind,
  size,
  busy = false,
  className,
  onClick,
  ...rest
}: ComponentProps<"button"> & Look & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={classes({ kind, size }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      onClick={
        busy
          ? (event: MouseEvent) => {
              event.preventDefault();
            }
          : onClick
      }
    />
  );
}

export function LinkButton({ kind, size, className, children, ...rest }: ComponentProps<"a"> & Look) {
  return (
    <a {...rest} className={classes({ kind, size }, className)}>
      {children}
    </a>
  );
}
