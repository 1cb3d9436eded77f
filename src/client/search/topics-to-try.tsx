import { trpc } from "../api/trpc.ts";
import { RecommendedTopics, TopicLinks, TopicsSection } from "../blogs/feed/topics.tsx";
import { useViewer } from "../session/viewer.ts";
import "../session/site-queries.ts";
import "../ui/cards.css";

export function TopicsToTry() {
  const interests = useViewer()?.interests ?? [];
  return (
    <>
      {interests.length > 0 && <TopicsSection title="Your interests" topics={interests} />}
      <RecommendedTopics title="Topics to try" />
    </>
  );
}

export function AllTopics() {
  const { data } = trpc.users.interestGroups.useQuery(undefined, { retryOnMount: false });
  if (!data) return null;
  return (
    <section className="all-topics" aria-labelledby="all-topics">
      <h2 id="all-topics" className="list-head size-xl">
        By subject
      </h2>
      {data.groups.map(({ name, topics }) => (
        <details key={name} name="all-topics" className="hairline-bottom all-topics-group">
          <summary className="row between medium">{name}</summary>
          <TopicLinks topics={topics} />
        </details>
      ))}
    </section>
  );
}
