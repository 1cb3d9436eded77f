import { useLocation, useSearchParams } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { trpc } from "../api/trpc.ts";
import { PageHead } from "../ui/page-head.tsx";
import { DateText } from "../ui/time.tsx";
import { NotFound } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import "../session/site-queries.ts";
import "../ui/prose.css";
import "./site-text-page.css";

const titles = { terms: "Terms", privacy: "Privacy" } as const;
type Kind = keyof typeof titles;

const kindOf = (pathname: string): Kind => (pathname.startsWith("/terms") ? "terms" : "privacy");
function inputOf(pathname: string, search: URLSearchParams) {
  const version = Number(search.get("version"));
  return {
    kind: kindOf(pathname),
    ...(Number.isSafeInteger(version) && version > 0 && version <= 1_000_000 ? { version } : {}),
  };
}

export async function loader({ url, data }: PageRequest): Promise<PageFacts> {
  const input = inputOf(url.pathname, url.searchParams);
  const { text } = await data.users.siteText.fetch(input);
  if (!text) throw new NotFound();
  return { title: titles[input.kind], topics: [] };
}

/** The terms or the privacy policy, with older versions. */
export default function SiteTextPage() {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const input = inputOf(pathname, search);
  const text = trpc.users.siteText.useQuery(input).data?.text;
  if (!text) return null;
  const { kind } = input;
  return (
    <div className="page narrow stack gap-5 site-text">
      <PageHead title={titles[kind]} />
      <p className="note">
        {text.isNewest ? "Since " : "This is an older version, of "}
        <DateText at={text.at} />
        {!text.isNewest && (
          <>
            . <Link to={`/${kind}`}>Read the current version</Link>
          </>
        )}
      </p>
      <div className="prose" dangerouslySetInnerHTML={{ __html: text.html }} />
      {text.versions.length > 1 && (
        <section aria-labelledby="site-text-versions">
          <h2 id="site-text-versions">Versions</h2>
          <ul className="row wrap gap-5">
            {text.versions.map(({ version, at }) => (
              <li key={version}>
                <Link
                  className="target"
                  to={`/${kind}?version=${version}`}
                  aria-current={version === text.version ? "page" : undefined}
                >
                  <DateText at={at} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
