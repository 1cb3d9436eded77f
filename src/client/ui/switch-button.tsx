import { useId } from "react";
import type { ReactNode } from "react";
import "./switch-button.css";

interface Props {
  /** The accessible name; it stays the same whether the switch is on or off. */
  name: string;
  on: boolean;
  /**
   * Shown beside it, and told apart from its name: "12 likes". Not shown where it is 0 or null, nor below: so it is for a moment where
   * the server has told of a count before what oneself did.
   */
  count: number | null;
  unit: string;
  kind: "like" | "save";
  children: ReactNode;
  onClick: () => void;
}

/** A button that is on or off, with the number of people who turned it on. */
export function SwitchButton({ name, on, count, unit, kind, children, onClick }: Props) {
  const id = useId();
  const isShown = count !== null && count > 0;
  return (
    <button
      type="button"
      className={`switch switch-${kind}`}
      data-key={name.charAt(0).toLowerCase()}
      aria-label={name}
      aria-pressed={on}
      aria-describedby={isShown ? id : undefined}
      onClick={onClick}
    >
      {children}
      {isShown ? (
        <span className="switch-count tabular" id={id}>
          {count.toLocaleString("en")}
          <span className="visually-hidden">
            {" "}
            {unit}
            {count === 1 ? "" : "s"}
          </span>
        </span>
      ) : null}
    </button>
  );
}
