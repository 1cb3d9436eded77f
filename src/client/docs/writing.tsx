import { limits } from "../../shared/limits.ts";

const megabytes = limits.image.bytes / 1024 / 1024;

export function Writing() {
  return (
    <>
      <p>
        <a href="/add-blog">Write</a> opens an empty page. A blog needs a title; the text, a description of up
        to {limits.description.max} characters, a cover and up to {limits.tags.max} tags are yours to add.
        Enter adds a tag. Tags are written small and without spaces, and lead readers to everything else with
        the same one.
      </p>
      <h3 id="editor">The editor</h3>
      <p>
        The bar above the text has fonts and sizes, headings, bold and its relatives, colours, lists,
        indentation, alignment, quotes, code, links and pictures. Markdown works while you type:{" "}
        <code>#</code> and a space begin a heading, <code>-</code> a list, <code>&gt;</code> a quote, three
        backticks a block of code, and <code>**two stars**</code> make a word bold. If it was not meant that
        way, Backspace takes it back.
      </p>
      <p>
        Paste from another editor or a page and the formatting comes along, cleaned. Pictures can be pasted,
        dropped or chosen: PNG, JPEG, GIF and WebP up to {megabytes} MB each; a cover is PNG or JPEG. Each
        shows how far it has come, and can be cancelled or tried again. Describe your pictures for those who
        cannot see them.
      </p>
      <h3 id="nothing-is-lost">Nothing you type is lost</h3>
      <p>
        While you write, everything is kept on your device about once a second, and the line below the text
        says so. If the tab closes, the battery dies or the connection goes, open the page again: it brings
        back what you had not saved, and you can discard it if you would rather not have it. What you open in
        a second tab is not overwritten; the page offers to continue there instead.
      </p>
      <p>
        Nor do two devices overwrite each other. If a blog was changed elsewhere while you wrote, the form
        says so at once and shows both versions side by side: take either one, or of each difference the side
        that you want.
      </p>
      <p>It is kept on that one device. To go on elsewhere, save it as a draft.</p>
      <h3 id="drafts">Drafts, private and public</h3>
      <ul>
        <li>
          <strong>Save as draft</strong> keeps the blog on the site for you alone. It waits under{" "}
          <em>Drafts</em> on your profile, and becomes public only when you switch this off.
        </li>
        <li>
          <strong>Private</strong> publishes it for your followers alone.
        </li>
        <li>
          Otherwise it is <strong>public</strong>: anybody may read it, unless{" "}
          <a href="#private-accounts">your account is private</a>.
        </li>
      </ul>
      <p>
        You can change all of it later with <em>Edit Blog</em>; readers who have the page open see the new
        text at once. The address of a blog is made from its title and stays once it is published. You can
        give it another one; every address that it had leads to it, so links keep working.{" "}
        <em>Delete Blog</em> removes it with its comments, for good. <a href="/my-blogs">My blogs</a> sums up
        what you wrote and how it was liked.
      </p>
    </>
  );
}
