import { trpc } from "../api/trpc.ts";
import { RecommendedTopics, TopicLinks, TopicsSection } from "../blogs/feed/topics.tsx";
import { useViewer } from "../session/viewer.ts";
import "../session/site-queries.ts";

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
      <h2 id="all-topics" className="all-topics-title">
        By subject
      </h2>
      {data.groups.map(({ name, topics }) => (
        <details key={name} name="all-topics" className="all-topics-group">
          <summary>{name}</summary>
          <TopicLinks topics={topics} />
        </details>
      ))}
    </section>
  );
}
