import type { BlogPage } from "../../shared/blogs.ts";
import type { Appeal } from "../../shared/moderation.ts";
import { trpc } from "../api/trpc.ts";
import { liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import { Button } from "../ui/button.tsx";
import { DateText } from "../ui/time.tsx";
import { askToReport } from "./report.tsx";
import "./moderation.css";

registerLiveQueries({
  "moderation.appeal": liveQuery<{ appeal: Appeal | null }, { blogId: string }>({
    topics: () => ["me"],
    on: {
      "viewer.appealChanged": (known, { blogId, appeal }, { input }) =>
        blogId === input.blogId ? { appeal } : known,
    },
  }),
});

/** Shows authors that moderators took the blog down and why, and its owner how to ask for a review, or its outcome. */
export default function TakedownNotice({ blog, reason }: { blog: BlogPage; reason: string }) {
  return (
    <aside className="panel stack start takedown-notice" aria-label="Taken down">
      <p>
        <strong>Moderators took this blog down.</strong> Only {blog.coAuthors ? "its authors" : "you"} can see
        it. You can edit it.
      </p>
      {reason && <Reason text={reason} />}
      {blog.mine && <Review blog={blog} />}
    </aside>
  );
}

const Reason = ({ text }: { text: string }) => (
  <p dir="auto">
    Reason: <q>{text}</q>
  </p>
);

/** The button, once for each takedown, and then when the owner asked and what moderators answered. */
function Review({ blog: { id, title } }: { blog: BlogPage }) {
  const { data } = trpc.moderation.appeal.useQuery({ blogId: id });
  if (!data) return null;
  const { appeal } = data;
  if (!appeal)
    return (
      <Button size="s" onClick={() => askToReport({ kind: "blog", id, name: title, appeal: true })}>
        Ask for a review
      </Button>
    );
  return (
    <>
      <p>
        You asked for a review on <DateText at={appeal.at} />.
        {appeal.answer && (
          <>
            {" "}
            Moderators answered on <DateText at={appeal.answer.at} /> and didn’t restore it.
          </>
        )}
      </p>
      {appeal.answer?.reason && <Reason text={appeal.answer.reason} />}
    </>
  );
}
