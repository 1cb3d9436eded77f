import { recommendedTopics } from "../../../shared/interests.ts";
import { routes } from "../../../shared/routes.ts";
import "./topics.css";

/** Written once: an address with a query takes as long as a card. */
const links = recommendedTopics.map((topic) => ({ topic, address: routes.search(topic) }));

/** Fixed search links (docs/specification.md, 9.18). */
export function RecommendedTopics() {
  return (
    <section className="topics" aria-labelledby="topics-title">
      <h2 className="topics-title" id="topics-title">
        Recommended Topics
      </h2>
      <ul className="topics-list">
        {links.map(({ topic, address }) => (
          <li key={topic}>
            <a href={address}>{topic}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
