import type { ReactNode } from "react";
import { Counted } from "./counted.tsx";
import "./switch-button.css";

interface Props {
  /** What its accessible name begins with, whether it is on or off. */
  name: string;
  on: boolean;
  /**
   * Shown beside it, and the rest of its name: "Like, 12 likes". Not shown where it is 0 or null, nor below: so it is for a moment
   * where the server has told of a count before what oneself did.
   */
  count: number | null;
  unit: string;
  kind: "like" | "save";
  children: ReactNode;
  onClick: () => void;
}

/** A button that is on or off, with the number of people who turned it on. */
export function SwitchButton({ name, on, count, unit, kind, children, onClick }: Props) {
  return (
    <button
      type="button"
      className={`switch switch-${kind}`}
      data-key={name.charAt(0).toLowerCase()}
      aria-pressed={on}
      onClick={onClick}
    >
      {children}
      <SwitchName name={name} count={count ?? 0} unit={unit} />
    </button>
  );
}

/** The name of a button that shows an icon, and its count where that is not 0. */
export function SwitchName({ name, count, unit }: { name: string; count: number; unit: string }) {
  const isShown = count > 0;
  return (
    <>
      <span className="visually-hidden">
        {name}
        {isShown && ", "}
      </span>
      {isShown && (
        <span className="tabular">
          <Counted count={count} unit={unit} />
        </span>
      )}
    </>
  );
}
