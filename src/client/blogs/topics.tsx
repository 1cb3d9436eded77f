import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import "./topics.css";

/** Fixed search links (specification, 9). */
const topics = ["React", "Node Js", "Express", "MongoDb", "HTML", "CSS", "JavaScript", "Java", "Python"];

export function RecommendedTopics() {
  return (
    <section className="topics" aria-labelledby="topics-title">
      <h2 className="topics-title" id="topics-title">
        Recommended Topics
      </h2>
      <ul className="topics-list">
        {topics.map((topic) => (
          <li key={topic}>
            <Link to={routes.search(topic)}>{topic}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
