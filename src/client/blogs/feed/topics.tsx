import { recommendedTopics } from "../../../shared/interests.ts";
import { routes } from "../../../shared/routes.ts";
import "./topics.css";

/** Fixed search links (docs/specification.md, 9.18). */
export function RecommendedTopics() {
  return (
    <section className="topics" aria-labelledby="topics-title">
      <h2 className="topics-title" id="topics-title">
        Recommended Topics
      </h2>
      <ul className="topics-list">
        {recommendedTopics.map((topic) => (
          <li key={topic}>
            <a href={routes.search(topic)}>{topic}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
