import { Link } from "../ui/link.tsx";
const readers = ["Everyone", "Your followers", "You"];

const rows: { content: string; visibleTo: [boolean, boolean, boolean] }[] = [
  { content: "A public blog", visibleTo: [true, true, true] },
  { content: "A private blog", visibleTo: [false, true, true] },
  { content: "A draft", visibleTo: [false, false, true] },
  { content: "Earlier versions of a blog", visibleTo: [false, false, true] },
  { content: "Any blog of a private account", visibleTo: [false, true, true] },
  { content: "Your name, username, picture and bio", visibleTo: [true, true, true] },
  { content: "Your email address", visibleTo: [false, false, true] },
];

export function Privacy() {
  return (
    <>
      <table className="table small docs-table">
        <thead>
          <tr>
            <th scope="col">What</th>
            {readers.map((reader) => (
              <th key={reader} scope="col">
                {reader}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ content, visibleTo }) => (
            <tr key={content}>
              <th scope="row">{content}</th>
              {visibleTo.map((isSeen, index) => (
                <td key={readers[index]} data-seen={isSeen || undefined}>
                  {isSeen ? "yes" : "no"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        This applies everywhere: on pages, in search, recommendations and counts, in the API, and on pages
        that are already open. What you can’t see looks as if it didn’t exist.
      </p>
      <h3 id="private-accounts">Private accounts</h3>
      <p>
        With a private account only your followers can read what you publish, and you approve each new
        follower under <Link to="/requests">Requests</Link>. If you make your account private, you keep your
        followers. If you make it public again, pending requests are accepted. A follower you remove loses
        access at once, also on a page they have open.
      </p>
      <h3 id="muting">Muting</h3>
      <p>
        Muted people, words and tags don’t appear in your feed, search, recommendations or notifications, and
        their comments are collapsed. Mute words and tags in your <Link to="/settings">settings</Link>. Nobody
        is notified, and you can still open every page.
      </p>
      <h3 id="blocking">Blocking</h3>
      <p>
        To block someone, open the menu next to their name. From then on you won’t see each other’s profile,
        blogs, comments, likes or notifications, and you’ll stop following each other. Open pages change at
        once. We won’t tell them, and everyone else still sees both of you. Replies of others stay readable
        below a comment without a name. You can unblock people in your <Link to="/settings">settings</Link>. A
        person who signs out sees what every guest sees.
      </p>
      <h3 id="reports">Reports</h3>
      <p>
        Use the same menu to report a blog, a comment or a person to the moderators. They see what you
        reported (of a blog its first lines), what you write about it, and your name. Nobody else learns who
        reported it, and you get a notification with the result. Moderators never see drafts. When they take
        down a blog, it becomes a draft of its author with the reason above it. When they suspend an account,
        it is hidden with all its content, and nothing is deleted. They can also limit an account to its
        followers, and keep notes about people that only moderators see. A log records what moderators do.
      </p>
      <h3 id="lists">What your profile shows</h3>
      <p>
        In your <Link to="/settings">settings</Link> you choose whether others can see the blogs you like and
        save, your followers and who you follow. These lists never show a blog to someone who can’t read it.
        What you hide still counts, without your name: the author of a blog sees that someone likes it, and so
        do programs that use the API.
      </p>
      <h3 id="presence">Who is reading</h3>
      <p>
        A public blog shows how many people are reading and who is writing a comment. Readers are never named,
        and we don’t store who reads: it’s forgotten as soon as you leave. Private blogs and private accounts
        don’t show this. You can turn it off in your <Link to="/settings">settings</Link>; then you’re neither
        counted nor named. While you edit a blog together with others, these authors see your name and where
        you are in the text.
      </p>
      <p>
        If you leave a long text in the middle, we remember where, so that you can continue on any device.
        Nobody else sees it, and it’s deleted when you reach the end. With the same setting off we don’t
        remember it.
      </p>
      <h3 id="device">On your device</h3>
      <p>
        Your browser keeps the last thirty articles you’ve read, with comments and pictures, for up to thirty
        days, so that you can read them offline. <a href="/offline">Saved articles</a> lists them; you can
        clear them there. Comments and likes you couldn’t send are also kept on the device. Logging out
        deletes saved articles at once, and articles you can no longer read are deleted when the device is
        online. Log out on shared computers: someone else could read them.
      </p>
      <p>
        If you turn on push notifications in your <Link to="/settings">settings</Link>, they go through your
        browser’s push service, encrypted so that only this browser can read them. They end with your session.
      </p>
      <h3 id="elsewhere">Content from other sites</h3>
      <p>
        Pages load nothing from other sites, including cards of videos and posts: we fetched their text once,
        when the blog was saved. A video loads from YouTube or Vimeo when you press its card, and from then on
        they can see you.
      </p>
      <h3 id="account">Your account</h3>
      <p>
        We send email when you ask for it (to confirm an address, choose a new password or delete an account
        without one) and when your sign-in changes: a new browser, another password or address, two-factor
        authentication. Emails about comments and likes are off unless you turn them on, and each has a link
        to unsubscribe. A new password signs you out everywhere else. You can undo a changed address and other
        sign-in changes for a week with the link in the email. Your settings list the devices where you’re
        signed in; end one, and its open pages are signed out at once. We use one cookie for your session, one
        to recognize your browser at sign-in, one for ten minutes during a sign-in, and one for light or dark
        mode if you choose. Nothing here tracks you for others.
      </p>
      <p>
        <em>Delete Account</em> deletes your account, blogs, likes, follows and comments. Comments with
        replies stay as “deleted”, without your name or text, so that the replies still make sense.
      </p>
    </>
  );
}
