import { Link } from "react-router-dom";
export function ApiSummary() {
  return (
    <>
      <p>
        Everything the site does with blogs, comments and people can be done over plain HTTP too: by a script,
        another app, or a site of your own. Reading what is public needs nothing at all.
      </p>
      <p>
        <Link to="/docs/api">All calls of the API</Link> are described with what they take, what they answer,
        and an example to paste into a terminal.
      </p>
    </>
  );
}
