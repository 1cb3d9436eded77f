import { useId } from "react";
import { Link } from "../../ui/link.tsx";
import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import type { Data } from "../../api/trpc.ts";
import { useSite } from "../../session/site.ts";
import "./topics-query.ts";
import "./feed.css";

/** The administrators' links to searches (docs/specification.md, 2.16). */
export function RecommendedTopics({ title = "Recommended Topics" }: { title?: string }) {
  return <TopicsSection title={title} topics={useSite().topics} />;
}

/** Prefetches the data of `TopicsInUse`, ignoring errors. Returns its live topics. */
export async function prefetchTopics(data: Data): Promise<string[]> {
  await data.blogs.topicsInUse.fetch(undefined, { staleTime: 60_000 }).catch(() => {});
  return ["search"];
}

export function TopicsInUse() {
  const { data } = trpc.blogs.topicsInUse.useQuery(undefined, { retryOnMount: false });
  if (!data || data.tags.length === 0) return null;
  const links = data.tags.map((tag): TopicLink => [`#${tag}`, routes.tag(tag)]);
  return <Section title="Written about lately" links={links} />;
}

type TopicLink = [label: string, address: string];
const searchLinks = (topics: readonly string[]): TopicLink[] =>
  topics.map((topic) => [topic, routes.search(topic)]);

/** Topics that lead to searches, under a title. */
export const TopicsSection = ({ title, topics }: { title: string; topics: readonly string[] }) => (
  <Section title={title} links={searchLinks(topics)} />
);

export const TopicLinks = ({ topics }: { topics: readonly string[] }) => (
  <Links links={searchLinks(topics)} />
);

function Section({ title, links }: { title: string; links: TopicLink[] }) {
  const id = useId();
  return (
    <section className="topics" aria-labelledby={id}>
      <h2 className="size-l" id={id}>
        {title}
      </h2>
      <Links links={links} />
    </section>
  );
}

function Links({ links }: { links: TopicLink[] }) {
  return (
    <ul className="topics-list row wrap">
      {links.map(([label, address]) => (
        <li key={address}>
          <Link to={address} className="chip" dir="auto">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
