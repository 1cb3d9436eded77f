import { LinkButton } from "../../ui/button.tsx";
import { routes } from "../../../shared/routes.ts";
import type { Removal } from "../../writing/draft.ts";

const keptTexts = {
  nothing: "Everything you wrote before that was saved.",
  soon: "What wasn’t saved is being kept.",
  nowhere: "What wasn’t saved is kept nowhere else: copy it from here.",
};

/** Informs a removed co-author, whose unsaved changes are in a new draft. */
export function RemovedNotice({ removal: { kept, mayBeDeleted } }: { removal: Removal }) {
  const slug = typeof kept === "object" ? kept.slug : null;
  return (
    <div className="blog-form-notice" role="alert">
      <p>
        You are not an author of this blog any more{mayBeDeleted && ", or it was deleted"}: nobody gets what
        you write here.{" "}
        {typeof kept === "object" ? "What wasn’t saved is kept as a new draft." : keptTexts[kept]}
      </p>
      <div className="blog-form-notice-actions">
        <LinkButton size="s" to={slug === null ? "/my-blogs" : routes.edit(slug)}>
          {slug === null ? "My blogs" : "Open the draft"}
        </LinkButton>
      </div>
    </div>
  );
}
