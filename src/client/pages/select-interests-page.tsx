import { useState } from "react";
import type { FormEvent } from "react";
import { Link, useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { InterestGroup } from "../../shared/interests.ts";
import { limits } from "../../shared/limits.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { Button } from "../ui/button.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { useNavigateFromHere } from "../ui/navigate-from-here.ts";
import { addInterest, asInterest, removeInterest } from "../settings/interests.ts";
import { updateViewer } from "../session/session.ts";
import { showFailure } from "../session/failure.ts";
import { useViewer } from "../session/viewer.ts";
import "../session/site-queries.ts";
import "./select-interests-page.css";

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  await request.data.users.interestGroups.fetch(undefined, { staleTime: 60_000 });
  return { title: "Choose your interests" };
}

/** Interests for recommendations: the administrators' groups, and the person's own. */
export default function SelectInterestsPage() {
  const viewer = useViewer();
  const navigate = useNavigate();
  const navigateFromHere = useNavigateFromHere();
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<readonly string[]>(viewer?.interests ?? []);
  const { data } = trpc.users.interestGroups.useQuery();
  const offered = data?.groups ?? [];
  // Also those that are turned off again, or that administrators removed meanwhile.
  const [everChosen, setEverChosen] = useState(chosen);
  const groups = [...offered, ...ownGroup(everChosen, offered)];
  const isFull = chosen.length >= limits.interests.max;

  const choose = (interest: string, on: boolean): void => {
    setChosen((now) => (on ? addInterest : removeInterest)(now, interest));
    setEverChosen((now) => (now.includes(interest) ? now : [...now, interest]));
  };

  const saving = trpc.users.updateSettings.useMutation({
    onSuccess: (newViewer) => {
      updateViewer(newViewer);
      navigateFromHere(routes.home());
    },
    onError: (error) => showFailure(error, navigate, save, messages.update),
  });
  const save = (): void => saving.mutate({ interests: [...chosen] });
  // Also until the next page is shown.
  const busy = saving.isPending || saving.isSuccess;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen.length > 0 && !busy) save();
  };
  return (
    <div className="page select-interests">
      <h1>What do you like to read about?</h1>
      <p className="select-interests-text">
        Choose a few, and we’ll recommend blogs about them. You can change them in Settings at any time.
      </p>
      <form method="post" onSubmit={submit}>
        {groups.map((group) => (
          <fieldset key={group.name} className="topic-group">
            <legend>{group.name}</legend>
            <div className="topic-chips">
              {group.topics.map((topic) => (
                <TopicChip
                  key={topic}
                  topic={topic}
                  checked={chosen.includes(asInterest(topic))}
                  full={isFull}
                  onChange={(on) => choose(asInterest(topic), on)}
                />
              ))}
            </div>
          </fieldset>
        ))}
        <div className="select-interests-foot">
          <p className="tabular" role="status">
            {chosen.length} chosen{isFull && `: that is the most`}
          </p>
          <Link to={routes.home()}>Skip</Link>
          <Button type="submit" kind="primary" busy={busy} disabled={!hydrated || chosen.length === 0}>
            Continue
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Interests in none of the groups. */
function ownGroup(interests: readonly string[], offered: InterestGroup[]): InterestGroup[] {
  const listed = new Set(offered.flatMap(({ topics }) => topics.map(asInterest)));
  const topics = interests.filter((interest) => !listed.has(interest));
  return topics.length > 0 ? [{ name: "Your own", topics }] : [];
}

interface ChipProps {
  topic: string;
  checked: boolean;
  full: boolean;
  onChange: (checked: boolean) => void;
}

function TopicChip({ topic, checked, full, onChange }: ChipProps) {
  return (
    <label className="topic-chip">
      <input
        type="checkbox"
        className="visually-hidden"
        checked={checked}
        disabled={full && !checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {topic}
    </label>
  );
}
