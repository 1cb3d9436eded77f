import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { StaffList } from "./loaded.tsx";
import { useAct } from "./use-act.ts";

/** Blogs that moderators took back, until they let them be read again. */
export function HiddenBlogs() {
  const { client } = trpc.useUtils();
  const { busy, act } = useAct();
  const asked = trpc.moderation.hidden.useQuery();
  return (
    <StaffList
      asked={asked}
      what="blogs"
      rows={({ blogs }) => blogs}
      empty={{ title: "No blog is taken back", text: "Those that you take back stand here." }}
    >
      {({ id, title, reason, author }) => (
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
      )}
    </StaffList>
  );
}
