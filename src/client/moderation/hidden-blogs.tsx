import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { ListFailure } from "../ui/list-failure.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { useAct } from "./use-act.ts";

/** Blogs that moderators took back, until they let them be read again. */
export function HiddenBlogs() {
  const { client } = trpc.useUtils();
  const { data, error, refetch } = trpc.moderation.hidden.useQuery();
  const { busy, act } = useAct();
  if (error && !data) return <ListFailure title={messages.dataLoad} retry={() => void refetch()} />;
  if (!data)
    return (
      <Loading label="Loading blogs">
        <Skeleton width="16rem" />
      </Loading>
    );
  if (data.blogs.length === 0)
    return <EmptyState title="No blog is taken back">Those that you take back stand here.</EmptyState>;
  return (
    <ul className="staff-list">
      {data.blogs.map(({ id, title, reason, author }) => (
        <li key={id} data-item>
          <div className="staff-row">
            <div className="staff-what">
              <p className="staff-title" dir="auto">
                {title}
              </p>
              <p className="staff-note">
                of{" "}
                <a href={routes.profile(author.username)}>
                  <bdi>{author.name}</bdi>
                </a>
              </p>
              {reason && <p className="staff-text">{reason}</p>}
            </div>
            <div className="staff-acts">
              <Button
                size="s"
                busy={busy === id}
                onClick={() => void act(id, () => client.moderation.restore.mutate({ blogId: id }))}
              >
                Let it be read again
              </Button>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
