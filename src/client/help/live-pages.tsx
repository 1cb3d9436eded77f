export function LivePages() {
  return (
    <>
      <p>
        An open page is never stale. Comments, replies, edits and likes appear while you look, in every window
        and on every device, and so do follow requests, their answers and notifications. When a blog is
        edited, made private or deleted, open pages change at once.
      </p>
      <p>
        Nothing that arrives moves the line you’re reading. New comments above it wait behind a button that
        says how many there are, and so do new blogs on the home page. Your half-written comment is never
        touched, and your browser keeps it until you send it.
      </p>
      <p>
        If you lose the connection for more than a few seconds, the page says so. When it’s back, the page
        catches up on everything, in order and once, without reloading.
      </p>
    </>
  );
}
