export function KeyRows({ rows }: { rows: readonly { keys: string[]; does: string }[] }) {
  return (
    <dl className="stack gap-2 mt-4">
      {rows.map(({ keys, does }) => (
        <div key={does} className="row gap-4">
          <dt className="row gap-1 fixed">
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
