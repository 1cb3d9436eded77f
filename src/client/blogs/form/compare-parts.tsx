import type { ReactNode } from "react";
import type { Picture } from "../../../shared/blogs.ts";
import type { UploadState } from "../../uploads/picture-upload.ts";
import { pictureProps } from "../cards/picture-props.ts";
import { focusWords } from "./cover-point.ts";
import { timeText } from "./schedule-time.ts";
import { audienceOf } from "./blog-fields.ts";
import type { BlogFields } from "./blog-fields.ts";
import { diffWords } from "./compare.ts";
import type { MarkedText, Side, WholeField } from "./compare.ts";
import "./compare-parts.css";

/* Shared parts of the dialogs that compare two versions. */

export const fieldLabels: Record<WholeField, string> = {
  title: "Title",
  description: "Description",
  tags: "Tags",
  cover: "Cover image",
  visibility: "Visibility",
  address: "Address",
  language: "Language",
  canonicalUrl: "Where it appeared first",
  searchTitle: "Name in search results",
  searchDescription: "Summary in search results",
};
const visibilities = ["Draft", "Private", "Public"];

export const sameText = (count: number): string =>
  count === 1 ? "1 paragraph is the same" : `${count.toLocaleString("en")} paragraphs are the same`;

export const Nothing = () => <span className="compare-nothing">Nothing</span>;

export const renderWords = (marked: MarkedText[]): ReactNode =>
  marked.every(({ text }) => text === "") ? (
    <Nothing />
  ) : (
    // They have no other identity.
    marked.map(({ text, isOwn }, index) => (isOwn ? <mark key={index}>{text}</mark> : text))
  );

export function renderField(
  name: WholeField,
  theirs: BlogFields,
  mine: BlogFields,
  coverUnderWay: UploadState | null = null,
): Record<Side, ReactNode> {
  if (name === "cover")
    return {
      theirs: <CoverView picture={theirs.cover} />,
      mine: coverUnderWay ? (
        <img src={coverUnderWay.preview ?? undefined} alt="The one you chose" />
      ) : (
        <CoverView picture={mine.cover} />
      ),
    };
  const text = (fields: BlogFields): string =>
    name === "visibility"
      ? visibilityText(fields)
      : name === "tags"
        ? fields.tags.join(" ")
        : name === "address"
          ? `/blog/${fields.address}`
          : fields[name];
  const marked = diffWords(text(theirs), text(mine));
  return { theirs: renderWords(marked.theirs), mine: renderWords(marked.mine) };
}

function CoverView({ picture }: { picture: Picture | null }) {
  return picture ? (
    <img {...pictureProps(picture)} sizes="15rem" alt={picture.focus ? focusWords(picture.focus) : ""} />
  ) : (
    "No cover"
  );
}

function visibilityText({ later, ...fields }: BlogFields): string {
  const label = visibilities[audienceOf({ ...fields, later: null })]!;
  return later?.at ? `${label}: ${timeText(Date.parse(later.at), Date.now())}` : label;
}
