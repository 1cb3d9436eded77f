import { Link } from "../ui/link.tsx";
import { audienceLabels } from "../../shared/audience.ts";
import { limits } from "../../shared/limits.ts";

/** The title of the part about who can read a blog. */
export const visibilityTitle = `Drafts, ${audienceLabels.followers.toLowerCase()} and ${audienceLabels.everyone.toLowerCase()}`;

const megabytes = limits.image.bytes / 1024 / 1024;

export function Writing() {
  return (
    <>
      <p>
        <Link to="/add-blog">Write</Link> opens an empty page. A blog needs a title. Behind <em>Publish…</em>{" "}
        you can add a description of up to {limits.description.max} characters, a cover and up to{" "}
        {limits.tags.max} tags. The card there is the one that lists will show; the ring on the cover marks
        the point that stays visible however it’s cropped. Enter adds a tag. Tags are lower case without
        spaces, and lead readers to other blogs with the same tag.
      </p>
      <h3 id="editor">The editor</h3>
      <p>
        <em>Aa</em> above the text, and on a phone the bar below it, has fonts and sizes, headings, bold and
        other styles, colors, lists, indentation, alignment, quotes, code, links and pictures. You can also
        type Markdown: <code>#</code> and a space for a heading, <code>-</code> for a list, <code>&gt;</code>{" "}
        for a quote, three backticks for a code block, and <code>**two stars**</code> for bold. Press
        Backspace to undo that. A <code>/</code> on an empty line, or the <em>+</em> beside it, offers
        everything else: tasks, tables, callouts, collapsible parts, footnotes.
      </p>
      <p>
        Write formulas as TeX: <code>$x^2$</code> within a line, or <code>$$</code> and Enter for one on its
        own. You’ll see the result beside the source. The address of a video, post or gist on a line of its
        own becomes a card when you paste it or press Enter: YouTube, Vimeo, Bluesky, Mastodon and GitHub.
      </p>
      <p>
        Text that you paste keeps its formatting, cleaned up. Paste, drop or choose pictures: PNG, JPEG, GIF,
        WebP, AVIF and SVG. Pictures of more than {megabytes} MB are made smaller in your browser, except
        GIFs; a cover is PNG or JPEG. Each picture shows its progress, and you can cancel or retry. Describe
        your pictures for people who can’t see them. The tools above a selected picture add a caption, set its
        width and place it beside the next one. Press Tab to reach them, and Enter for the caption.
      </p>
      <h3 id="nothing-is-lost">Nothing you type is lost</h3>
      <p>
        Your text is saved on the site about a second after you type; the line above it says <em>Saved</em>.
        If the tab closes or the battery dies, open the page again, on this device or another, and continue
        where you were. A new blog is also among your drafts. Without a connection your text is saved on the
        device, and sent as soon as you’re back online.
      </p>
      <p>
        You can write in the same text in two tabs or on two devices; each shows what the other writes.
        Readers see nothing of it until you publish. A published blog with changes says{" "}
        <em>Unpublished changes</em> until you update it or discard them.
      </p>
      <h3 id="drafts">{visibilityTitle}</h3>
      <ul>
        <li>
          <strong>Save as draft</strong>: only its authors can see the blog. It’s under <em>Drafts</em> on
          your profile, and becomes public only when you turn this off.
        </li>
        <li>
          <strong>Publish later</strong>: a draft that we publish at a day and time you choose, in the time
          zone of your device. You can change, move or cancel it until then. If it can’t be published, we’ll
          notify you.
        </li>
        <li>
          <strong>{audienceLabels.followers}</strong>: only your followers can read it.
        </li>
        <li>
          Otherwise it’s <strong>{audienceLabels.everyone.toLowerCase()}</strong>: everyone can read it,
          unless <a href="#private-accounts">your account is private</a>.
        </li>
      </ul>
      <p>
        You can change all of this later with <em>Edit Blog</em>. Readers who have the page open see at once
        what changed, and where. The address of a blog is made from its title and stays the same once it’s
        published. You can change it; every earlier address redirects, so links keep working.{" "}
        <em>Delete Blog</em> deletes it with its comments, for good. <Link to="/my-blogs">My blogs</Link>{" "}
        shows what you’ve written and how it was liked.
      </p>
      <h3 id="live">Live blogs</h3>
      <p>
        <em>Start a live blog</em>, under <Link to="/my-blogs">My blogs</Link>, or <em>Live blog</em> where
        you publish: your text becomes the introduction, and below it you post entries as things happen, with
        a title and a star for key moments, if you like. Readers see each entry as you post it; nothing leaves
        your device before. You can edit and withdraw entries, give one an earlier time, and pin a summary.
        When you <em>End</em> it, in the bar <em>On air</em> of all your pages, it’s read from the beginning;
        you can reopen it later. Everyone who follows you gets one notification. With <em>Embed…</em> you let
        other sites show a public live blog and its new entries, and get the HTML for them.
      </p>
      <h3 id="together">Writing together</h3>
      <p>
        Under <em>Authors</em>, where you edit a blog, invite others by their usernames; up to eight people
        can write a blog. Authors can write, see the history and publish, also at the same time. The blog
        shows all their names and is on each of their profiles. Only the person who created it can invite and
        remove authors, choose who can comment, and delete it. An author who leaves or is removed can no
        longer write. What they wrote stays, and what wasn’t saved becomes a draft of theirs.
      </p>
      <h3 id="history">Earlier versions</h3>
      <p>
        We keep a version of what you publish, of a draft about every ten minutes, and of what you discard or
        replace. <em>History</em>, where you edit it, shows them to its authors and marks the differences
        between any two. <em>Restore this</em> puts an earlier version into the form; readers see it once you
        publish it. After a day we keep fewer versions, published ones the longest. They’re deleted with the
        blog.
      </p>
      <h3 id="moving">Import and export</h3>
      <p>
        <Link to="/settings/import">Import</Link> your blogs from a ZIP or file of Markdown, from Ghost,
        WordPress, Medium or Substack, or from another site like this one. What wasn’t public there stays
        private here. Links between your blogs and their old addresses lead to the right place. A report names
        what couldn’t be imported, and you can undo the whole import.
      </p>
      <p>
        <Link to="/settings/export">Export</Link> everything that’s yours as one ZIP that you can read without
        this site, or import into another one. You can also download a single blog as Markdown or as a page
        where you edit it.
      </p>
    </>
  );
}
