import type { ReactNode } from "react";
import type { Picture } from "../../../shared/blogs.ts";
import type { UnderWay } from "../../uploads/sending.ts";
import { pictureProps } from "../cards/picture-props.ts";
import { focusWords } from "./focus-rules.ts";
import { timeWords } from "./later.ts";
import { audienceOf } from "./values.ts";
import type { BlogFields } from "./values.ts";
import { differingWords } from "./compare-rules.ts";
import type { Marked, Side, WholeField } from "./compare-rules.ts";
import "./compare.css";

/* What is shown of two versions of a blog that are compared, whichever they are. */

/** What the fields are called. */
export const names: Record<WholeField, string> = {
  title: "Title",
  description: "Description",
  tags: "Tags",
  cover: "Cover image",
  visibility: "Who can read it",
  address: "Address",
  language: "Language",
  canonicalUrl: "Where it appeared first",
  searchTitle: "Name in search results",
  searchDescription: "Summary in search results",
};
const audiences = ["Only you: a draft", "Your followers", "Everyone"];

/** What is said of a stretch of the text that does not differ. */
export const sameText = (count: number): string =>
  count === 1 ? "1 paragraph is the same" : `${count.toLocaleString("en")} paragraphs are the same`;

export const Nothing = () => <span className="compare-nothing">Nothing</span>;

export const words = (marked: Marked[]): ReactNode =>
  marked.every(({ text }) => text === "") ? (
    <Nothing />
  ) : (
    // The order is all that tells one from another.
    marked.map(({ text, isOwn }, index) => (isOwn ? <mark key={index}>{text}</mark> : text))
  );

/** A field as both have it. */
export function shownField(
  name: WholeField,
  theirs: BlogFields,
  mine: BlogFields,
  coverUnderWay: UnderWay | null = null,
): Record<Side, ReactNode> {
  if (name === "cover")
    return {
      theirs: <CoverShown picture={theirs.cover} />,
      mine: coverUnderWay ? (
        <img src={coverUnderWay.preview} alt="The one you chose" />
      ) : (
        <CoverShown picture={mine.cover} />
      ),
    };
  const text = (fields: BlogFields): string =>
    name === "visibility"
      ? visibilityWords(fields)
      : name === "tags"
        ? fields.tags.join(" ")
        : name === "address"
          ? `/blog/${fields.address}`
          : fields[name];
  const marked = differingWords(text(theirs), text(mine));
  return { theirs: words(marked.theirs), mine: words(marked.mine) };
}

function CoverShown({ picture }: { picture: Picture | null }) {
  return picture ? (
    <img {...pictureProps(picture)} sizes="15rem" alt={picture.focus ? focusWords(picture.focus) : ""} />
  ) : (
    "No cover"
  );
}

function visibilityWords({ later, ...fields }: BlogFields): string {
  const audience = audiences[audienceOf({ ...fields, later: null })]!;
  return later?.at ? `${audience}: ${timeWords(Date.parse(later.at), Date.now())}` : audience;
}
