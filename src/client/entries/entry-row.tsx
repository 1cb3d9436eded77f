import { memo } from "react";
import type { ReactNode } from "react";
import type { ViewerEntry } from "../../shared/entries.ts";
import { routes } from "../../shared/routes.ts";
import { ArticleText } from "../blogs/article/body.tsx";
import type { PendingMutation } from "../live/mutations/optimistic-mutations.ts";
import { useToggle } from "../session/use-toggle.ts";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import { withCode } from "../ui/on-demand.tsx";
import { SwitchButton } from "../ui/switch-button.tsx";
import { TimeText } from "./time-text.tsx";
import { entryElementId } from "./elements.ts";
import { likeEntry } from "./entry-mutations.ts";
import { Star } from "./star.tsx";

const sharing = () => import("../blogs/article/end/share.ts");

export interface EntryActions {
  edit(entry: ViewerEntry): void;
  withdraw(entry: ViewerEntry): void;
}

interface TextProps {
  entry: ViewerEntry;
  slug: string;
  language: string | undefined;
  /** Its mutation, until that is answered. */
  sending?: PendingMutation | undefined;
  /** Opens a comment that quotes it; undefined where nobody can comment. */
  onReply: ((entry: ViewerEntry) => void) | undefined;
  /** What its author and the owner of the blog can do. */
  actions?: EntryActions | undefined;
}

interface Props extends TextProps {
  fresh: boolean;
  /** The form to edit it, in place of its text. */
  form: ReactNode;
}

/** An entry of a live blog: its time in the margin, its text, and what readers can do with it. */
export const EntryRow = memo(function EntryRow({ fresh, form, ...props }: Props) {
  const { entry, sending } = props;
  return (
    <li
      id={entryElementId(entry.id)}
      className="entry"
      data-item=""
      data-fresh={fresh || undefined}
      data-moment={entry.isKey || undefined}
      data-sending={sending ? "" : undefined}
      tabIndex={-1}
    >
      <EntryArticle {...props}>{form}</EntryArticle>
    </li>
  );
});

/** An entry as text; `children` stand in place of what it says. */
export function EntryArticle({ children, ...props }: TextProps & { children?: ReactNode }) {
  const { entry, slug, language } = props;
  const { id, title } = entry;
  return (
    <article aria-label={entry.headline} className="entry-body stack gap-2">
      <p className="entry-when tabular">
        <Link to={routes.entry(slug, id)}>
          <TimeText at={entry.at} />
        </Link>
      </p>
      {entry.isKey && (
        <p className="entry-key row gap-1">
          <Star size={14} /> Key moment
        </p>
      )}
      {children || (
        <>
          {title && (
            <h3 className="entry-title" dir="auto" lang={language}>
              {title}
            </h3>
          )}
          <ArticleText html={entry.html} language={language} className="entry-text" />
          <EntryFoot {...props} />
        </>
      )}
    </article>
  );
}

function EntryFoot({ entry, slug, sending, onReply, actions }: TextProps) {
  const { author, headline } = entry;
  const share = () =>
    withCode(sharing, (code) => void code.share({ title: headline, path: routes.entry(slug, entry.id) }));
  return (
    <div className="entry-foot row wrap gap-1 note">
      <EntryLike entry={entry} />
      {!sending && (
        <>
          {onReply && (
            <button type="button" className="action" onClick={() => onReply(entry)}>
              Reply
            </button>
          )}
          <button type="button" className="action switch" aria-label="Share this entry" onClick={share}>
            <Icon name="share" size={16} />
          </button>
          {actions && (
            <>
              <button type="button" className="action" onClick={() => actions.edit(entry)}>
                Edit
              </button>
              <button type="button" className="action" onClick={() => actions.withdraw(entry)}>
                Withdraw
              </button>
            </>
          )}
        </>
      )}
      <span className="entry-by to-end">
        {sending ? (
          sending.state === "waiting" ? (
            "Will be posted when you are online"
          ) : (
            "Posting…"
          )
        ) : (
          <>
            {author && (
              <Link to={routes.profile(author.username)}>
                <bdi>{author.name}</bdi>
              </Link>
            )}
            {entry.editedAt && <span>{author ? " · " : ""}edited</span>}
          </>
        )}
      </span>
    </div>
  );
}

function EntryLike({ entry: { id, blogId, liked: on, likesCount } }: { entry: ViewerEntry }) {
  const press = useToggle({
    mutation: likeEntry,
    input: { id, blogId, on },
    signIn: "Please sign in to like this entry",
  });
  return (
    <SwitchButton name="Like" on={on} count={likesCount} unit="like" kind="like" onClick={press}>
      <Icon name={on ? "heart-filled" : "heart"} size={16} />
    </SwitchButton>
  );
}
