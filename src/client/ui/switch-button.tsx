import type { ReactNode } from "react";
import { Counted } from "./counted.tsx";
import "./switch-button.css";

interface Props {
  /** The start of its accessible name, in both states. */
  name: string;
  on: boolean;
  /**
   * Shown beside it, and the rest of its name: "Like, 12 likes". Hidden if null or not positive: it can be negative for a
   * moment when the server's count precedes the viewer's own change.
   */
  count: number | null;
  unit: string;
  kind: "like" | "save";
  children: ReactNode;
  onClick: () => void;
}

/** A toggle with the number of people who turned it on. */
export function SwitchButton({ name, on, count, unit, kind, children, onClick }: Props) {
  return (
    <button
      type="button"
      className={`action switch switch-${kind}`}
      data-key={name.charAt(0).toLowerCase()}
      aria-pressed={on}
      onClick={onClick}
    >
      {children}
      <SwitchName name={name} count={count ?? 0} unit={unit} />
    </button>
  );
}

/** The name of an icon button, with its count if positive. */
export function SwitchName({ name, count, unit }: { name: string; count: number; unit: string }) {
  const isShown = count > 0;
  return (
    <>
      <span className="visually-hidden">{isShown ? `${name}, ` : name}</span>
      {isShown && (
        <span className="tabular">
          <Counted count={count} unit={unit} />
        </span>
      )}
    </>
  );
}
