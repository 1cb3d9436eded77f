import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";

export function Reading() {
  return (
    <>
      <p>
        Reading needs no account. The <Link to={routes.home()}>home page</Link> lists everybody’s public
        blogs, four at a time: <em>Latest</em> puts the newest first, <em>Most Liked</em> the best liked. The
        page you are on is part of the address, so going back, reloading and sending somebody the link all
        lead to the same place.
      </p>
      <h3 id="finding">Finding something</h3>
      <p>
        <Link to="/search">Explore</Link> searches titles, descriptions, tags and whole texts as you type, and
        marks what it found. Capitals and accents make no difference, and the last word may be unfinished. A
        blog is found when all the words are in it, so fewer words find more. The tab <em>People</em> looks
        through names, usernames and what people say about themselves. Each tag under a blog leads to all that
        has it, where you can follow the tag: it is one of your interests then.
      </p>
      <p>
        Once you have <Link to="/select-interests">chosen your interests</Link>, the home page begins with
        blogs that may be for you. Each says why it is there: an interest of yours, somebody you follow who
        wrote or liked it, or that it is new. Nothing else decides, and what you have already liked or saved
        is left out.
      </p>
      <h3 id="feeds">Feeds</h3>
      <p>
        A feed reader tells you of what is new without an account. The <a href="/feed.xml">site</a>, each
        person, each tag and each search has a feed, with whole texts: it is linked where you see{" "}
        <em>Feed</em>, and readers find it by the page’s address. What is private or a draft is in none. With
        an account you have one of your own, of the people and tags that you follow, at a secret address that
        the <Link to="/settings">settings</Link> show and renew.
      </p>
      <h3 id="taking-part">Taking part</h3>
      <p>
        With an account you can like a blog, save it to read later, follow its author and comment on it. The
        comments open with the button below the text. A comment is plain text of up to 5,000 characters; links
        in it can be clicked, and an <code>@username</code> tells that person and leads to them. Every comment
        can be answered, and its time is a link to it. You can edit and delete your own comments, and delete
        any under your own blogs; the replies to a comment go with it, and you are told how many before they
        do.
      </p>
      <p>
        The bell says what concerns you: comments, answers, likes, followers. The menu beside a blog’s author
        tells you of every comment there, or of nothing about that blog. In the{" "}
        <Link to="/settings">settings</Link> you choose for each kind whether you are told of it here, by
        push, or by mail at once, daily or weekly. Such a mail has a link that ends them.
      </p>
      <p>
        What you like and save stands on your profile. Whether others see it there is{" "}
        <a href="#privacy">up to you</a>.
      </p>
    </>
  );
}
