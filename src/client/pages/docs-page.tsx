import type { ReactNode } from "react";
import type { PageFacts } from "./page.ts";
import { useSite } from "../session/site.ts";
import { Keys } from "../help/keys.tsx";
import { Privacy } from "../help/privacy.tsx";
import { Reading } from "../help/reading.tsx";
import { visibilityTitle, Writing } from "../help/writing.tsx";
import "../help/help.css";

interface Entry {
  id: string;
  title: string;
  entries?: readonly Entry[];
}

interface Part extends Entry {
  text: () => ReactNode;
}

const parts: readonly Part[] = [
  {
    id: "reading",
    title: "Reading",
    text: Reading,
    entries: [
      { id: "finding", title: "Finding blogs" },
      { id: "feeds", title: "Feeds" },
      { id: "taking-part", title: "Taking part" },
    ],
  },
  {
    id: "writing",
    title: "Writing",
    text: Writing,
    entries: [
      { id: "editor", title: "The editor" },
      { id: "nothing-is-lost", title: "Nothing you type is lost" },
      { id: "drafts", title: visibilityTitle },
      { id: "together", title: "Writing together" },
      { id: "history", title: "Earlier versions" },
      { id: "moving", title: "Import and export" },
    ],
  },
  {
    id: "privacy",
    title: "Who sees what",
    text: Privacy,
    entries: [
      { id: "private-accounts", title: "Private accounts" },
      { id: "lists", title: "What your profile shows" },
      { id: "elsewhere", title: "Content from other sites" },
      { id: "account", title: "Your account" },
    ],
  },
  { id: "live", title: "Live pages", text: LivePages },
  { id: "keys", title: "Keys", text: Keys },
  { id: "api", title: "The API", text: ApiSummary },
];

export function loader(): PageFacts {
  return {
    title: "How it works",
    description: "Reading, writing, privacy, live pages, keyboard shortcuts and the API.",
    topics: [],
  };
}

export default function DocsPage() {
  const { name } = useSite();
  return (
    <div className="page stack gap-8 docs">
      <header className="stack gap-4 docs-head">
        <h1>How {name} works</h1>
        <p className="lead soft measure">
          A place to read and write, where an open page is never stale. Here’s everything about it.
        </p>
      </header>
      <Contents entries={parts} />
      <div className="docs-text">
        {parts.map(({ id, title, text: Text }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>{title}</h2>
            <Text />
          </section>
        ))}
      </div>
    </div>
  );
}

/** The links to a long page's sections. */
function Contents({ entries }: { entries: readonly Entry[] }) {
  return (
    <nav className="small hairline-bottom contents" aria-labelledby="contents">
      <h2 id="contents" className="title-s">
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
          <a className="plain-link" href={`#${id}`}>
            {title}
          </a>
          {nested && <Entries entries={nested} />}
        </li>
      ))}
    </ul>
  );
}

function ApiSummary() {
  return (
    <>
      <p>
        Everything the site does with blogs, comments and people can be done over plain HTTP too: by a script,
        another app, or a site of your own. Reading what is public needs nothing at all.
      </p>
      <p>
        <a href="/docs/api">The API reference</a> describes each endpoint with its parameters and responses,
        and can be tried there.
      </p>
    </>
  );
}

function LivePages() {
  return (
    <>
      <p>
        An open page is never stale. Comments, replies, edits and likes appear while you look, in every window
        and on every device, and so do follow requests, their answers and notifications. When a blog is
        edited, made private or deleted, open pages change at once.
      </p>
      <p>
        Nothing that arrives moves the line you’re reading. New comments above it wait behind a button that
        says how many there are, and so do new blogs on the home page. Your half-written comment is never
        touched, and your browser keeps it until you send it.
      </p>
      <p>
        If you lose the connection for more than a few seconds, the page says so. When it’s back, the page
        catches up on everything, in order and once, without reloading.
      </p>
    </>
  );
}
