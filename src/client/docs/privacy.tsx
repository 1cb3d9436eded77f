import { Link } from "react-router-dom";
const who = ["Everybody", "Your followers", "You"];

/** What is whose to read, by who looks: everybody, followers, oneself. */
const rows: { what: string; seen: [boolean, boolean, boolean] }[] = [
  { what: "A public blog", seen: [true, true, true] },
  { what: "A private blog", seen: [false, true, true] },
  { what: "A draft", seen: [false, false, true] },
  { what: "What a blog said before it was changed", seen: [false, false, true] },
  { what: "Any blog of a private account", seen: [false, true, true] },
  { what: "Your name, username, picture and bio", seen: [true, true, true] },
  { what: "Your e-mail address", seen: [false, false, true] },
];

export function Privacy() {
  return (
    <>
      <table className="docs-table">
        <thead>
          <tr>
            <th scope="col">What</th>
            {who.map((one) => (
              <th key={one} scope="col">
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ what, seen }) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              {seen.map((isSeen, index) => (
                <td key={who[index]} data-seen={isSeen || undefined}>
                  {isSeen ? "yes" : "no"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        This holds everywhere alike: on the pages, in the search, in what is recommended, in counts, in the
        API and on pages that are open already. What somebody may not read looks to them as if it were not
        there.
      </p>
      <h3 id="private-accounts">Private accounts</h3>
      <p>
        With a private account everything you publish is for your followers alone, and whoever wants to follow
        you asks first. Requests wait under <Link to="/requests">Requests</Link>, where you accept or reject
        them. Turn the account private and the followers you have stay; turn it public again and the requests
        that wait are accepted. A follower whom you remove loses sight of it that moment, also on a page they
        have open.
      </p>
      <h3 id="muting">Muting</h3>
      <p>
        Whom you mute stands in no feed, search, recommendation or notice of yours, and what they say is
        folded away in a talk, until you look. So it is with words and tags that you mute in the{" "}
        <Link to="/settings">settings</Link>. Nobody is told, and every page stays at its address.
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
        In the <Link to="/settings">settings</Link> you decide whether others see which blogs you like, which
        you save, and who follows you and whom you follow. Such a list never shows anybody a blog that they
        may not read. What you don’t show counts without your name: the author of a blog learns that somebody
        likes it, and so does a program that asks the API.
      </p>
      <h3 id="presence">Who is there</h3>
      <p>
        A blog that everybody may read says how many are reading it just now, and who is writing a comment.
        Who reads is never named, guests included, and that is stored nowhere: it is forgotten as soon as you
        go. Of private blogs and of private accounts it is not told at all. In the{" "}
        <Link to="/settings">settings</Link> you can turn it off: then you are neither counted nor named. Who
        has a text open to write in it is named, and where they are in it, to those alone who write in it too.
      </p>
      <p>
        Where you leave a long text in its middle is kept for you, so that you can go on there on any device.
        It is shown to nobody else, and goes when you have read the text to its end. With the same setting off
        nothing is kept, and what was kept goes.
      </p>
      <h3 id="device">On your device</h3>
      <p>
        The browser keeps the last thirty articles that you have read, with their talk and pictures, for at
        most thirty days, so that you can read them without a network; <a href="/offline">they are listed</a>{" "}
        there, and can be forgotten. What you wrote and could not send waits on the device, too. Signing out
        takes what you have read away at once, and what you may read no more goes as soon as the device is
        online. Whoever uses the same account of the same computer meanwhile could read it: sign out where
        others do.
      </p>
      <p>
        A browser where you turn push on in the <Link to="/settings">settings</Link> is told of what you
        choose there, while you look at no page of the site. What it is told goes by way of the browser’s own
        push service, encrypted so that this browser alone can read it, and ends with your session.
      </p>
      <h3 id="elsewhere">What comes from elsewhere</h3>
      <p>
        Nothing on a page is loaded from anywhere but this site, cards of videos and posts included: what they
        say was asked for once, when the text was saved. A video is loaded from YouTube or Vimeo when you
        press its card, and they see you from then on.
      </p>
      <h3 id="account">Your account</h3>
      <p>
        We send mail where you ask for it, to confirm an address, to choose a new password, or to delete an
        account that has none; and where something changes in how your account is signed in to: a browser that
        is new, another password or address, two steps. Of comments, likes and the like we send mail only if
        you choose so in the settings, and each such mail has a link that ends them. A new password ends every
        other session, and an address that was changed can be taken back by the old one for a week. So can
        what the other mails about signing in report. The settings list the devices you are signed in on; end
        one, and its open pages are signed out at once. There is one cookie for your session, one by which a
        sign-in knows your browser again, one for ten minutes while a sign-in is under way, and one for light
        or dark if you choose; nothing on the site watches you for anybody else.
      </p>
      <p>
        <em>Delete Account</em> removes your account, your blogs, likes and follows, and your comments. Where
        others replied to a comment of yours, it stays as “deleted”, without your name or words, so that their
        replies still hang together.
      </p>
    </>
  );
}
