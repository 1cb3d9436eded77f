import "./badge.css";

/** How many wait behind what it stands in; nothing where none does. Its place is described by it (`aria-describedby`), not named: "Requests" stays "Requests". */
export function Badge({ id, count }: { id: string; count: number }) {
  if (count === 0) return null;
  return (
    <span className="badge tabular" aria-hidden="true">
      {count > 99 ? "99+" : count}
      <span id={id} hidden>
        {count} waiting
      </span>
    </span>
  );
}
