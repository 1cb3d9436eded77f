import { useNavigate } from "react-router-dom";
import { Button } from "../ui/button.tsx";
import { toast, toastWithUndo } from "../ui/toasts.tsx";
import { askToSignIn } from "../session/failure.ts";
import { useViewer } from "../session/viewer.ts";
import { addInterest, interestProblem, removeInterest } from "./interests.ts";
import { useSettings } from "./use-settings.ts";
import type { Viewer } from "../../shared/users.ts";

/** Follows a tag, which becomes one of the viewer's interests. */
export function FollowTag({ tag }: { tag: string }) {
  const viewer = useViewer();
  const navigate = useNavigate();
  if (viewer) return <FollowOrNot tag={tag} viewer={viewer} />;
  return (
    <Button
      kind="primary"
      className="follow-button"
      onClick={() => askToSignIn(`Please sign in to follow ${tag}`, navigate)}
    >
      Follow
    </Button>
  );
}

function FollowOrNot({ tag, viewer }: { tag: string; viewer: Viewer }) {
  const change = useSettings(viewer);
  const navigate = useNavigate();
  const follows = viewer.interests.includes(tag);
  const setFollowed = (on: boolean): void =>
    change((now) => ({
      interests: on ? addInterest(now.interests, tag) : removeInterest(now.interests, tag),
    }));
  const press = (): void => {
    const problem = follows ? null : interestProblem(viewer.interests, tag);
    if (problem) {
      toast({
        kind: "error",
        message: `${problem} Remove one first.`,
        action: { label: "Settings", run: () => void navigate("/settings#settings-interests") },
      });
      return;
    }
    setFollowed(!follows);
    if (follows) toastWithUndo(`You no longer follow ${tag}.`, () => setFollowed(true));
  };
  return (
    <Button kind={follows ? "plain" : "primary"} className="follow-button" onClick={press}>
      {follows ? "Following" : "Follow"}
    </Button>
  );
}
