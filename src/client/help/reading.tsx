import { Link } from "../ui/link.tsx";
import { limits } from "../../shared/limits.ts";
import { routes } from "../../shared/routes.ts";

export function Reading() {
  return (
    <>
      <p>
        You can read without an account. The <Link to={routes.home()}>home page</Link> lists public blogs,
        four per page: <em>Latest</em> shows the newest first, <em>Most Liked</em> the most liked. With an
        account, <em>Following</em> shows blogs by the people and with the tags you follow. The page number is
        part of the address, so you can go back, reload or share the link.
      </p>
      <h3 id="finding">Finding blogs</h3>
      <p>
        <Link to="/search">Explore</Link> searches titles, descriptions, tags and full texts as you type, and
        highlights what it found. Upper case and accents make no difference, and the last word can be
        unfinished. A blog is found if it has all your words, so fewer words find more. For a misspelled word
        we suggest a similar one. The <em>People</em> tab searches names, usernames and bios. Each tag below a
        blog leads to all blogs with that tag, where you can follow it: it becomes one of your interests.
      </p>
      <p>
        Once you’ve <Link to="/select-interests">chosen your interests</Link>, the home page begins with
        recommended blogs. Each says why it’s there: one of your interests, someone you follow who wrote or
        liked it, or that it’s new. Nothing else counts, and blogs you’ve already liked or saved are left out.
      </p>
      <h3 id="feeds">Feeds</h3>
      <p>
        Follow blogs in a feed reader, without an account. The <a href="/feed.xml">site</a>, each person, each
        tag and each search has a feed with full texts. Look for <em>Feed</em>, or paste the page’s address
        into your feed reader. Private blogs and drafts are in no feed. With an account you also have a
        personal feed of the people and tags you follow, at a secret address in your{" "}
        <Link to="/settings">settings</Link>.
      </p>
      <h3 id="taking-part">Taking part</h3>
      <p>
        With an account you can like a blog, save it for later, follow its author and comment. Open the
        comments with the button below the text. A comment is plain text of up to{" "}
        {limits.comment.max.toLocaleString("en")} characters. Links can be clicked, and an{" "}
        <code>@username</code> notifies that person. You can reply to every comment; its time is a link to it.
        You can edit and delete your own comments, and delete comments below your own blogs. Deleting a
        comment also deletes its replies; we’ll tell you how many first.
      </p>
      <p>
        The bell shows your notifications: comments, replies, likes, followers. In the menu next to a blog’s
        author you can subscribe to its comments, or mute the blog. In your{" "}
        <Link to="/settings">settings</Link> choose for each kind whether to be notified on the site, by push,
        or by email right away, daily or weekly. Each email has a link to unsubscribe.
      </p>
      <p>
        Your profile lists the blogs you like and save. <a href="#privacy">You decide</a> who can see that.
      </p>
    </>
  );
}
