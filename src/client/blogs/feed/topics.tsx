import { Link } from "react-router-dom";
import { recommendedTags, recommendedTopics } from "../../../shared/interests.ts";
import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import type { Data } from "../../api/trpc.ts";
import "./topics-query.ts";
import "./topics.css";

/** Fixed links to tags (docs/specification.md, 9.18). */
export function RecommendedTopics() {
  return (
    <Topics
      name="topics"
      title="Recommended Topics"
      links={recommendedTopics.map((topic, index) => [topic, recommendedTags[index]!])}
    />
  );
}

/** Prefetches the data of `TopicsInUse`, ignoring errors. Returns its live topics. */
export async function prefetchTopics(data: Data): Promise<string[]> {
  await data.blogs.topicsInUse.fetch(undefined, { staleTime: 60_000 }).catch(() => {});
  return ["search"];
}

export function TopicsInUse() {
  const { data } = trpc.blogs.topicsInUse.useQuery(undefined, { retryOnMount: false });
  if (!data || data.tags.length === 0) return null;
  return (
    <Topics
      name="topics-in-use"
      title="Written about lately"
      links={data.tags.map((tag) => [`#${tag}`, tag])}
    />
  );
}

interface Props {
  name: string;
  title: string;
  links: [label: string, tag: string][];
}

function Topics({ name, title, links }: Props) {
  return (
    <section className="topics" aria-labelledby={name}>
      <h2 className="topics-title" id={name}>
        {title}
      </h2>
      <ul className="topics-list">
        {links.map(([label, tag]) => (
          <li key={tag}>
            <Link to={routes.tag(tag)} dir="auto">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
