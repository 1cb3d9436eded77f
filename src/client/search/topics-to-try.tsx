import { useId } from "react";
import { Link } from "react-router-dom";
import { interestGroups, recommendedTopics } from "../../shared/interests.ts";
import { routes } from "../../shared/routes.ts";
import { useViewer } from "../session/viewer.ts";
import "../blogs/feed/topics.css";

export function TopicsToTry() {
  const interests = useViewer()?.interests ?? [];
  return (
    <>
      {interests.length > 0 && <Topics title="Your interests" topics={interests} />}
      <Topics title="Topics to try" topics={recommendedTopics} />
    </>
  );
}

function Topics({ title, topics }: { title: string; topics: readonly string[] }) {
  const id = useId();
  return (
    <section className="topics" aria-labelledby={id}>
      <h2 className="topics-title" id={id}>
        {title}
      </h2>
      <TopicLinks topics={topics} />
    </section>
  );
}

function TopicLinks({ topics }: { topics: readonly string[] }) {
  return (
    <ul className="topics-list">
      {topics.map((topic) => (
        <li key={topic}>
          <Link to={routes.search(topic)}>{topic}</Link>
        </li>
      ))}
    </ul>
  );
}

export function AllTopics() {
  return (
    <section className="all-topics" aria-labelledby="all-topics">
      <h2 id="all-topics" className="all-topics-title">
        By subject
      </h2>
      {interestGroups.map(({ name, topics }) => (
        <details key={name} name="all-topics" className="all-topics-group">
          <summary>{name}</summary>
          <TopicLinks topics={topics} />
        </details>
      ))}
    </section>
  );
}
