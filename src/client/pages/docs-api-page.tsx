import { useEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { useDocument } from "../api/document.ts";
import { elementAt } from "../ui/element-at.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useSite } from "../session/site.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ApiCall, Example } from "../docs/api-call.tsx";
import { Contents } from "../docs/contents.tsx";
import { Fields } from "../docs/fields.tsx";
import { schemaAnchor, callsByTag, schemasOf } from "../docs/openapi.ts";
import type { OpenApi } from "../docs/openapi.ts";
import { Skeleton } from "../ui/skeleton.tsx";

const ADDRESS = "/api/v1/openapi.json";

export async function loader({ load }: PageRequest): Promise<PageFacts> {
  // In the browser the page itself shows the failure.
  await load(ADDRESS).catch((error: unknown) => {
    if (typeof window === "undefined") throw error;
  });
  return {
    title: "API",
    description: "All calls of the API, with their parameters and answers.",
    topics: [],
  };
}

export default function DocsApiPage() {
  const { publicUrl, name } = useSite();
  const query = useDocument(ADDRESS);
  return (
    <div className="page docs api">
      <header className="docs-head">
        <p className="docs-way">
          <Link to="/docs">How {name} works</Link>
        </p>
        <h1>API</h1>
        <p className="docs-lead">
          Reading and writing over plain HTTP, under <code>{publicUrl}/api/v1</code>.
        </p>
      </header>
      {query.data ? (
        <Document document={query.data as OpenApi} server={publicUrl} />
      ) : (
        <div className="docs-text">
          <Basics server={publicUrl} />
          <QueryResult query={query} noun="the calls" fallback={<Waiting />} failure={messages.dataFetch}>
            {() => null}
          </QueryResult>
        </div>
      )}
    </div>
  );
}

function Document({ document, server }: { document: OpenApi; server: string }) {
  const groups = callsByTag(document);
  const shapes = schemasOf(
    document,
    groups.flatMap(({ calls }) => calls),
  );
  const { hash } = useLocation();
  useEffect(() => {
    const target = elementAt(hash);
    if (target instanceof HTMLDetailsElement) target.open = true;
    // The browser looked for the element before it was rendered.
    target?.scrollIntoView();
  }, [hash]);
  return (
    <>
      <Contents
        entries={[
          { id: "basics", title: "Before you call" },
          ...groups.map(({ tag, calls }) => ({
            id: idOf(tag),
            title: tag,
            entries: calls.map(({ id, method, path }) => ({
              id,
              title: `${method} ${path.replace("/api/v1", "")}`,
              isCode: true,
            })),
          })),
          {
            id: "shapes",
            title: "Shapes",
            entries: shapes.map(([shape]) => ({ id: schemaAnchor(shape), title: shape, isCode: true })),
          },
        ]}
      />
      <div className="docs-text">
        <Basics server={server} />
        {groups.map(({ tag, calls }) => (
          <section key={tag} aria-labelledby={idOf(tag)}>
            <h2 id={idOf(tag)}>{tag}</h2>
            {calls.map((call) => (
              <ApiCall key={call.id} call={call} server={server} />
            ))}
          </section>
        ))}
        <section aria-labelledby="shapes">
          <h2 id="shapes">Shapes</h2>
          <p>What the answers are made of.</p>
          {shapes.map(([shape, schema]) => (
            <details className="call" key={shape} id={schemaAnchor(shape)}>
              <summary>
                <h3 className="call-title is-code">{shape}</h3>
              </summary>
              <Fields schema={schema} />
            </details>
          ))}
        </section>
      </div>
    </>
  );
}

const idOf = (tag: string): string => tag.toLowerCase();

function Basics({ server }: { server: string }) {
  return (
    <section aria-labelledby="basics">
      <h2 id="basics">Before you call</h2>
      <p>
        Reading what is public needs no account. For the rest, <a href="#post-signin">sign in</a> and send the{" "}
        <code>token</code> of the answer along as <code>Authorization: Bearer …</code>. It lasts as long as
        the session: thirty days, or until you sign out.
      </p>
      <Example
        text={`TOKEN=$(curl -s '${server}/api/v1/signin' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"email":"ana@example.org","password":"correct horse battery"}' \\\n  | jq -r .user.token)`}
      />
      <p>
        Bodies and answers are JSON; only blogs are sent as forms, since they bring pictures. Times are ISO
        8601, ids are text. A call that fails answers with a fitting status and{" "}
        <code>{`{ "success": false, "message": "…" }`}</code>, where the message is written for people;{" "}
        <code>429</code> says in <code>Retry-After</code> how many seconds to wait. Any origin may call. What
        you may not read answers <code>404</code>, as if it were not there.
      </p>
      <p>
        An answer stays below 1 MB. A list of ids has the newest 1,000 at most, and fewer where there is not
        room for all; a long talk has its oldest comments. The counts beside them are exact, you are always
        among those whom a list of people names, and where <code>hasMore</code> is true the next{" "}
        <code>page</code> has more. A <code>limit</code> above 50 counts as 50. Who does not show what they
        like or save stands in <code>likes</code> and <code>totalSaves</code> under a pseudonym: an id of
        nobody, the same for a person in one blog. Large answers count more towards how often you may ask.
      </p>
      <p>
        This page is generated from the <a href={ADDRESS}>OpenAPI document</a> of this site. You can also
        generate a client from it.
      </p>
    </section>
  );
}

const Waiting = () =>
  Array.from({ length: 3 }, (_, index) => (
    <div className="call" key={index}>
      <Skeleton width="55%" height="1.5rem" />
      <Skeleton width="40%" />
      <Skeleton height="6rem" />
    </div>
  ));
