import { CopyButton } from "../../ui/copy-button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { LinkButton } from "../../ui/button.tsx";
import type { Removal } from "./work.ts";
import "../authors/authors.css";

interface Props {
  removal: Removal;
  /** This device has what the server has not. */
  isKept: boolean;
}

/** Tells a co-author that they are one no more, and gives them the words that they were about to send. */
export function Removed({ removal: { words, mayBeDeleted }, isKept }: Props) {
  return (
    <div className="blog-form-notice" role="alert">
      <p>
        You are not an author of this blog any more{mayBeDeleted && ", or it was deleted"}: nobody gets what
        you write here.{" "}
        {words === ""
          ? "All that you wrote before had arrived."
          : isKept
            ? "What had not arrived stands below, and in a draft of yours."
            : "What had not arrived stands below. Copy it: this device does not keep it."}
      </p>
      <div className="blog-form-notice-actions">
        {words !== "" && <CopyButton text={words} label="Copy what you wrote" />}
        <LinkButton size="s" to={words === "" ? "/my-blogs" : "/add-blog"}>
          {words === "" ? "My blogs" : "Go on in a draft"}
        </LinkButton>
      </div>
      {words !== "" && (
        <div className="removed-words">
          <TextArea label="What you wrote" rows={3} dir="auto" readOnly value={words} />
        </div>
      )}
    </div>
  );
}
