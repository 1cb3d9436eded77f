export function ApiSummary() {
  return (
    <>
      <p>
        Everything the site does with blogs, comments and people can be done over plain HTTP too: by a script,
        another app, or a site of your own. Reading what is public needs nothing at all.
      </p>
      <p>
        <a href="/docs/api">All calls of the API</a> are described with what they take and what they answer,
        and can be tried there.
      </p>
    </>
  );
}
