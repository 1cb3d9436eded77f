import "./tabs.css";

/** A count; nothing for 0. Use it as `aria-describedby`, so that "Requests" keeps its name. */
export function Badge({ id, count }: { id: string; count: number }) {
  if (count === 0) return null;
  return (
    <span className="badge fixed to-end tabular" aria-hidden="true">
      {count > 99 ? "99+" : count}
      <span id={id} hidden>
        {count} waiting
      </span>
    </span>
  );
}
