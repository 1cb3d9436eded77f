import { useState } from "react";
import { Link } from "../ui/link.tsx";
import { audienceLabels } from "../../shared/audience.ts";
import { blogStates, type BlogState, type StaffBlog } from "../../shared/staff-content.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../session/viewer.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { contentAddress, ContentList, contentFilterIn, type ContentFilter } from "./content-list.tsx";
import { Choice } from "./staff-people.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";

const ReasonDialog = onDemand(() => import("./reason-dialog.tsx"));
const ReadDialog = onDemand(() => import("./read-dialog.tsx"));

const states: Record<BlogState, string> = {
  all: "All",
  public: audienceLabels.everyone,
  "taken-down": "Taken down",
};
export interface StaffBlogFilter extends ContentFilter {
  state: BlogState;
}
export const blogFilterIn = (search: URLSearchParams): StaffBlogFilter => ({
  ...contentFilterIn(search),
  state: blogStates.find((state) => state === search.get("state")) ?? "all",
});

/** Public and taken-down blogs, reported or not. */
export function StaffBlogs({ filter }: { filter: StaffBlogFilter }) {
  const result = trpc.moderation.blogs.useQuery(filter);
  return (
    <ContentList
      action="/admin/blogs"
      filter={filter}
      parameters={filter.state === "all" ? {} : { state: filter.state }}
      more={<Choice name="state" label="Which" options={states} chosen={filter.state} />}
      what="blogs"
      result={result}
      rows={({ blogs }) => blogs}
    >
      {(blog) => <Row key={blog.id} blog={blog} />}
    </ContentList>
  );
}

function Row({ blog }: { blog: StaffBlog }) {
  const { id, title, beginning, address, author, at, takedownReason, commentsCount, mayAct } = blog;
  const viewer = useViewer();
  const resolution = trpc.moderation.resolveReport.useMutation();
  const restoration = trpc.moderation.restore.useMutation();
  const hide = useMutationMessage(resolution);
  const restore = useMutationMessage(restoration);
  const removal = useMutationMessage(trpc.moderation.deleteBlog.useMutation());
  const [dialog, setDialog] = useState<"take-down" | "delete" | "read" | null>(null);
  const close = (): void => setDialog(null);
  const hiding = (reason: string) => ({ kind: "blog", id, outcome: "take-down", reason }) as const;
  return (
    <li className="stack" data-item>
      <div className="stack gap-1">
        <p className="strong" dir="auto">
          {address ? <Link to={address}>{title}</Link> : title}
        </p>
        <p className="note">
          by{" "}
          <Link to={contentAddress("blogs", author)}>
            <bdi>{author.name}</bdi>
          </Link>{" "}
          @{author.username} · <RelativeTime at={at} />
          {commentsCount > 0 &&
            ` · ${commentsCount.toLocaleString("en")} ${commentsCount === 1 ? "comment" : "comments"}`}
        </p>
        {takedownReason !== null && (
          <p className="danger">
            Taken down
            {takedownReason && (
              <>
                : <q dir="auto">{takedownReason}</q>
              </>
            )}
          </p>
        )}
        <p className="soft as-typed line-clamp staff-text" dir="auto">
          {beginning}
        </p>
      </div>
      <div className="row wrap">
        <Button size="s" onClick={() => setDialog("read")}>
          Read
        </Button>
        {mayAct &&
          (takedownReason === null ? (
            <Button size="s" busy={hide.busy} onClick={() => setDialog("take-down")}>
              Take down
            </Button>
          ) : (
            <Button
              size="s"
              busy={restore.busy}
              onClick={() =>
                void restore.run(
                  { blogId: id },
                  takedownReason === "" ? undefined : () => resolution.mutateAsync(hiding(takedownReason)),
                )
              }
            >
              Restore
            </Button>
          ))}
        {viewer?.isAdmin && (mayAct || viewer.id === author.id) && (
          <Button size="s" kind="quiet" busy={removal.busy} onClick={() => setDialog("delete")}>
            Delete
          </Button>
        )}
      </div>
      {dialog === "read" && <ReadDialog blogId={id} title={title} onClose={close} />}
      {dialog === "take-down" && (
        <ReasonDialog
          title="Take this blog down?"
          body="It becomes a draft that the author can’t publish. You can restore it later."
          readBy="author"
          action="Take down"
          onClose={close}
          onAnswer={(reason) => void hide.run(hiding(reason), () => restoration.mutateAsync({ blogId: id }))}
        />
      )}
      {dialog === "delete" && (
        <ReasonDialog
          title={`Delete “${title}”?`}
          body="The blog is deleted for good, with its comments and likes. To hide it instead, take it down."
          readBy="log"
          action="Delete"
          onClose={close}
          onAnswer={(reason) => void removal.run({ blogId: id, reason })}
        />
      )}
    </li>
  );
}
