import type { ComponentProps, MouseEvent } from "react";
import { useHydrated } from "./hydrated.ts";
import { Link } from "./link.tsx";
import "./button.css";

type Kind = "primary" | "plain" | "quiet" | "danger";

interface Look {
  kind?: Kind;
  size?: "s" | "m";
}

function classes({ kind = "plain", size = "m" }: Look, more: string | undefined): string {
  return `button button-${kind}${size === "s" ? " button-small" : ""}${more ? ` ${more}` : ""}`;
}

interface Busy {
  busy?: boolean;
  /** Label while busy, in place of a spinner. The width stays. */
  busyLabel?: string;
}

/** While `busy` it keeps focus and width, but ignores clicks. */
export function Button({
  kind,
  size,
  busy = false,
  busyLabel,
  className,
  onClick,
  children,
  ...rest
}: ComponentProps<"button"> & Look & Busy) {
  return (
    <button
      type="button"
      {...rest}
      className={classes({ kind, size }, className)}
      aria-busy={busy || undefined}
      data-turning={(busy && busyLabel === undefined) || undefined}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      onClick={
        busy
          ? (event: MouseEvent) => {
              event.preventDefault();
            }
          : onClick
      }
    >
      {busyLabel === undefined ? (
        children
      ) : (
        <span className="button-words">
          <span className="row center button-rest">{children}</span>
          <span className="row center button-busy">{busyLabel}</span>
        </span>
      )}
    </button>
  );
}

/** A button that is disabled until the page's scripts run. */
export function ScriptButton(props: ComponentProps<typeof Button>) {
  const isWaiting = !useHydrated();
  return <Button className="target" disabled={isWaiting} data-waiting={isWaiting || undefined} {...props} />;
}

export function LinkButton({ kind, size, className, children, ...rest }: ComponentProps<typeof Link> & Look) {
  return (
    <Link {...rest} className={classes({ kind, size }, className)}>
      {children}
    </Link>
  );
}
