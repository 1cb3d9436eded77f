import "./docs.css";

export interface Entry {
  id: string;
  title: string;
  entries?: readonly Entry[];
}

/** The links to a long page's sections. */
export function Contents({ entries }: { entries: readonly Entry[] }) {
  return (
    <nav className="contents" aria-labelledby="contents">
      <h2 id="contents" className="contents-title">
        On this page
      </h2>
      <Entries entries={entries} />
    </nav>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <ul className="contents-list">
      {entries.map(({ id, title, entries: nested }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
          {nested && <Entries entries={nested} />}
        </li>
      ))}
    </ul>
  );
}
