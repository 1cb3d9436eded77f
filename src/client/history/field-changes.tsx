import type { ReactNode } from "react";
import { audienceLabels } from "../../shared/audience.ts";
import type { Picture } from "../../shared/blogs.ts";
import type { UploadState } from "../uploads/picture-upload.ts";
import type { BlogFields } from "../writing/draft-fields.ts";
import { pictureProps } from "../blogs/cards/picture-props.ts";
import { audienceOfFields } from "../writing/form/blog-fields.ts";
import { focusWords } from "../writing/form/cover-point.ts";
import { timeText } from "../writing/form/schedule-time.ts";
import { diffWords } from "./differences.ts";
import type { MarkedText, WholeField } from "./differences.ts";

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

const renderWords = (marked: MarkedText[]): ReactNode =>
  marked.every(({ text }) => text === "") ? (
    <em className="note">Nothing</em>
  ) : (
    // They have no other identity.
    marked.map(({ text, isOwn }, index) => (isOwn ? <mark key={index}>{text}</mark> : text))
  );

/** Renders a field of both versions. A cover that is being uploaded belongs to the later one. */
export function renderField(
  name: WholeField,
  before: BlogFields,
  after: BlogFields,
  coverUnderWay: UploadState | null,
): Record<"before" | "after", ReactNode> {
  if (name === "cover")
    return {
      before: <CoverView picture={before.cover} />,
      after: coverUnderWay ? (
        <img src={coverUnderWay.preview ?? undefined} alt="The one you chose" />
      ) : (
        <CoverView picture={after.cover} />
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
  const marked = diffWords(text(before), text(after));
  return { before: renderWords(marked.before), after: renderWords(marked.after) };
}

function CoverView({ picture }: { picture: Picture | null }) {
  return picture ? (
    <img {...pictureProps(picture)} sizes="15rem" alt={picture.focus ? focusWords(picture.focus) : ""} />
  ) : (
    "No cover"
  );
}

function visibilityText({ later, ...fields }: BlogFields): string {
  const label = audienceLabels[audienceOfFields({ ...fields, later: null })];
  return later?.at ? `${label}: ${timeText(Date.parse(later.at), Date.now())}` : label;
}
