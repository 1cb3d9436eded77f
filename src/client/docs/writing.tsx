import { Link } from "react-router-dom";
import { limits } from "../../shared/limits.ts";

const megabytes = limits.image.bytes / 1024 / 1024;

export function Writing() {
  return (
    <>
      <p>
        <Link to="/add-blog">Write</Link> opens an empty page. A blog needs a title; the text is yours to add,
        and behind <em>Publish…</em> a description of up to {limits.description.max} characters, a cover and
        up to {limits.tags.max} tags. The card there is the one that lists will show; the ring on the cover
        says which point of it stays in view wherever it is cropped. Enter adds a tag. Tags are written small
        and without spaces, and lead readers to everything else with the same one.
      </p>
      <h3 id="editor">The editor</h3>
      <p>
        <em>Aa</em> above the text, and on a phone the bar below it, has fonts and sizes, headings, bold and
        its relatives, colours, lists, indentation, alignment, quotes, code, links and pictures. Markdown
        works while you type: <code>#</code> and a space begin a heading, <code>-</code> a list,{" "}
        <code>&gt;</code> a quote, three backticks a block of code, and <code>**two stars**</code> make a word
        bold. If it was not meant that way, Backspace takes it back. A <code>/</code> on an empty line, or the{" "}
        <em>+</em> beside it, offers what else can be inserted: tasks, tables, notes, fold-outs, footnotes.
      </p>
      <p>
        A formula is written as TeX: <code>$x^2$</code> in a line, or <code>$$</code> and Enter for one by
        itself; what it looks like stands beside its source. The address of a video, a post or a gist becomes
        a card when it is pasted alone on its line, or with Enter: of YouTube, Vimeo, Bluesky, Mastodon and
        GitHub.
      </p>
      <p>
        Paste from another editor or a page and the formatting comes along, cleaned. Pictures can be pasted,
        dropped or chosen: PNG, JPEG, GIF, WebP, AVIF and SVG. Those of more than {megabytes} MB are made
        smaller in the browser, but for GIFs; a cover is PNG or JPEG. Each shows how far it has come, and can
        be cancelled or tried again. Describe your pictures for those who cannot see them. Tools over a
        selected picture give it words below it, choose how wide it stands and put it beside the next one; Tab
        leads into them, Enter to the words below.
      </p>
      <h3 id="nothing-is-lost">Nothing you type is lost</h3>
      <p>
        What you write is on the site about a second later, without a button: the line above the text says{" "}
        <em>Saved</em>. If the tab closes or the battery dies, open the page again, on this device or another:
        a new blog goes on where you were, and stands among your drafts as well. Without a connection your
        words are kept on the device, and go to the site as soon as it can be reached.
      </p>
      <p>
        Two tabs or devices may write in one text at once; each shows what the other writes. Readers see
        nothing of it before you publish. A published blog that you change says <em>Unpublished changes</em>{" "}
        until you update it or discard them.
      </p>
      <h3 id="drafts">Drafts, private and public</h3>
      <ul>
        <li>
          <strong>Save as draft</strong> keeps the blog on the site for its authors alone. It waits under{" "}
          <em>Drafts</em> on your profile, and becomes public only when you switch this off.
        </li>
        <li>
          <strong>Publish later</strong> keeps it as a draft until a day and time that you choose, by the
          clock of your device, and publishes it then by itself. Until then you can change it, move it or take
          it back. Where it can’t be published at that time, a notice tells you why.
        </li>
        <li>
          <strong>Private</strong> publishes it for your followers alone.
        </li>
        <li>
          <strong>Write live</strong>, on a blog that is published, has readers who have it open watch it
          grow: each paragraph once you have left it, or have not typed for three seconds. It ends when you
          switch it off or update the blog, or after an hour without a key.
        </li>
        <li>
          Otherwise it is <strong>public</strong>: anybody may read it, unless{" "}
          <a href="#private-accounts">your account is private</a>.
        </li>
      </ul>
      <p>
        You can change all of it later with <em>Edit Blog</em>; readers who have the page open see what
        changed at once, and where. The address of a blog is made from its title and stays once it is
        published. You can give it another one; every address that it had leads to it, so links keep working.{" "}
        <em>Delete Blog</em> removes it with its comments, for good. <Link to="/my-blogs">My blogs</Link> sums
        up what you wrote and how it was liked.
      </p>
      <h3 id="together">Writing together</h3>
      <p>
        Under <em>Authors</em>, where you edit a blog, invite others by their usernames: up to eight write one
        blog. Who accepts writes in it as you do, at the same time if you like, sees its history and publishes
        it; all names stand on it, and it stands on the profile of each. Whoever began it alone invites,
        removes, decides who comments, and deletes it. Who leaves or is removed writes no more from that
        moment; what they wrote stays, and what had not arrived becomes a draft of theirs.
      </p>
      <h3 id="history">What a blog said before</h3>
      <p>
        Each time a blog is saved, what it says is kept. <em>History</em>, where you edit it, shows these
        versions to its authors alone and marks what changed between any two of them, or since.{" "}
        <em>Restore this</em> puts an earlier one into the form: nothing is lost by it, and nothing is changed
        until you save. After a day fewer of them are kept, and what you published for longest; they go with
        the blog.
      </p>
      <h3 id="moving">Moving in and out</h3>
      <p>
        <Link to="/settings/import">Import</Link> brings in what you wrote elsewhere: a ZIP or file of
        Markdown, from Ghost, WordPress, Medium or Substack, or the export of a site like this one. What was
        not public there is not made public here, links between your texts lead to where these are now, and so
        do their old addresses on this site. A report names what could not be taken, and an import can be
        undone as a whole.
      </p>
      <p>
        <Link to="/settings/export">Export</Link> gives you all that is yours as one ZIP, to be read without
        this site and to be brought into another. A single blog is had as Markdown or as a page where you edit
        it.
      </p>
    </>
  );
}
