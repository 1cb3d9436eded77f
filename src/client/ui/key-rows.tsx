import "./key-rows.css";

export function KeyRows({ rows }: { rows: readonly { keys: string[]; does: string }[] }) {
  return (
    <dl className="key-rows">
      {rows.map(({ keys, does }) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
