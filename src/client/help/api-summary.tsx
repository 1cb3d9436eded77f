export function ApiSummary() {
  return (
    <>
      <p>
        Everything the site does with blogs, comments and people can be done over plain HTTP too: by a script,
        another app, or a site of your own. Reading what is public needs nothing at all.
      </p>
      <p>
        <a href="/docs/api">The API reference</a> describes each endpoint with its parameters and responses,
        and can be tried there.
      </p>
    </>
  );
}
