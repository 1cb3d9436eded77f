import { CopyButton } from "../../ui/copy-button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { LinkButton } from "../../ui/button.tsx";
import type { Removal } from "./working-copy.ts";
import "../authors/authors.css";

interface Props {
  removal: Removal;
  /** This device stores what the server lacks. */
  isStored: boolean;
}

/** Informs a removed co-author and shows their unsent text. */
export function RemovedNotice({ removal: { unsentText, mayBeDeleted }, isStored }: Props) {
  return (
    <div className="blog-form-notice" role="alert">
      <p>
        You are not an author of this blog any more{mayBeDeleted && ", or it was deleted"}: nobody gets what
        you write here.{" "}
        {unsentText === ""
          ? "Everything you wrote before that was saved."
          : isStored
            ? "What wasn’t saved is below, and in one of your drafts."
            : "What wasn’t saved is below. Copy it, since this device doesn’t keep it."}
      </p>
      <div className="blog-form-notice-actions">
        {unsentText !== "" && <CopyButton text={unsentText} label="Copy what you wrote" />}
        <LinkButton size="s" to={unsentText === "" ? "/my-blogs" : "/add-blog"}>
          {unsentText === "" ? "My blogs" : "Continue in a draft"}
        </LinkButton>
      </div>
      {unsentText !== "" && (
        <div className="removed-words">
          <TextArea label="What you wrote" rows={3} dir="auto" readOnly value={unsentText} />
        </div>
      )}
    </div>
  );
}
