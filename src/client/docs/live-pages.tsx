export function LivePages() {
  return (
    <>
      <p>
        A page that is open is never stale. Comments, replies, edits and likes appear while you look, in every
        window and on every device; so do follow requests and their answers, and what the bell has to tell.
        When a blog is edited, made private or deleted, its open pages follow at once.
      </p>
      <p>
        It stays calm about it. Nothing that arrives moves the line you are reading: new comments above it
        wait behind a button that says how many, and new blogs on the home page do the same. A half-written
        comment is never touched, and it is kept in your browser until you send it.
      </p>
      <p>
        If the connection goes for longer than a few seconds the page says so. When it is back, everything
        that happened meanwhile is made up for, in order and once, without reloading.
      </p>
    </>
  );
}
