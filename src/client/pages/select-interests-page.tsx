import { Composite, CompositeItem, CompositeProvider } from "@ariakit/react/composite";
import { useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
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
  const { users, blogs } = request.data;
  await Promise.all([
    users.interestGroups.fetch(undefined, { staleTime: 60_000 }),
    blogs.popularInterests.fetch(undefined, { staleTime: 60_000 }),
  ]);
  return { title: "Choose your interests" };
}

/** Interests for recommendations: the person's own, the most used ones, and the administrators' groups with a search. */
export default function SelectInterestsPage() {
  const viewer = useViewer();
  const navigate = useNavigate();
  const navigateFromHere = useNavigateFromHere();
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<readonly string[]>(viewer?.interests ?? []);
  const popular = trpc.blogs.popularInterests.useQuery().data?.topics ?? [];
  const offered = trpc.users.interestGroups.useQuery().data?.groups ?? [];
  const [query, setQuery] = useState("");
  // Also those that are turned off again. What is chosen in a group stays there, unless administrators remove it.
  const [everChosen, setEverChosen] = useState(chosen);
  const [chosenInSearch, setChosenInSearch] = useState(chosen);
  const known = new Set(offered.flatMap(({ topics }) => topics.map(asInterest)));
  const first = new Set(popular.map(asInterest));
  const own = everChosen.filter(
    (topic) => !first.has(topic) && (chosenInSearch.includes(topic) || !known.has(topic)),
  );
  const isAbove = (topic: string) => first.has(asInterest(topic)) || own.includes(asInterest(topic));
  const all = uniqueTopics([...own, ...popular, ...offered.flatMap(({ topics }) => topics)]);
  const isFull = chosen.length >= limits.interests.max;

  const choose = (interest: string, on: boolean): void => {
    setChosen((now) => (on ? addInterest : removeInterest)(now, interest));
    setEverChosen((now) => addOnce(now, interest));
    if (query !== "") setChosenInSearch((now) => addOnce(now, interest));
  };
  const group = (name: string, topics: readonly string[]) =>
    topics.length > 0 && (
      <TopicGroup key={name} name={name} topics={topics} chosen={chosen} full={isFull} onChange={choose} />
    );

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
      <p className="lead muted measure mt-3">
        Choose a few, and we’ll recommend blogs about them. You can change them in Settings at any time.
      </p>
      <form className="stack gap-8" method="post" onSubmit={submit}>
        <TextField
          type="search"
          label="Search topics"
          value={query}
          readOnly={!hydrated}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={limits.interests.length}
          onChange={({ target }) => setQuery(target.value)}
          // Enter would send the form.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
        {query.trim() !== "" ? (
          <Found query={query} topics={all} group={group} />
        ) : (
          <>
            {group("Your interests", own)}
            {group("Popular", popular)}
            <details className="more-topics">
              <summary className="medium">More topics</summary>
              {offered.map(({ name, topics }) =>
                group(
                  name,
                  topics.filter((topic) => !isAbove(topic)),
                ),
              )}
            </details>
          </>
        )}
        <div className="row gap-4 soft hairline-top select-interests-foot">
          <p className="tabular" role="status">
            {`${chosen.length} chosen${isFull ? ": that is the most" : ""}`}
          </p>
          <Link className="target" to={routes.home()}>
            Skip
          </Link>
          <Button type="submit" kind="primary" busy={busy} disabled={!hydrated || chosen.length === 0}>
            Continue
          </Button>
        </div>
      </form>
    </div>
  );
}

const addOnce = (topics: readonly string[], topic: string): readonly string[] =>
  topics.includes(topic) ? topics : [...topics, topic];

/** Leaves out what is listed twice. */
const uniqueTopics = (topics: readonly string[]): string[] =>
  topics.filter((topic, index) => topics.findIndex((one) => asInterest(one) === asInterest(topic)) === index);

interface FoundProps {
  query: string;
  topics: readonly string[];
  group: (name: string, topics: readonly string[]) => ReactNode;
}

function Found({ query, topics, group }: FoundProps) {
  const found = topics.filter((topic) => asInterest(topic).includes(asInterest(query)));
  return (
    <div>
      {group("Found", found)}
      <p role="status" className={found.length > 0 ? "visually-hidden" : "muted"}>
        {found.length > 0
          ? `${found.length} found`
          : "No topic matches. You can add interests of your own in Settings."}
      </p>
    </div>
  );
}

interface GroupProps {
  name: string;
  topics: readonly string[];
  chosen: readonly string[];
  full: boolean;
  onChange: (interest: string, checked: boolean) => void;
}

/** One Tab stop: the arrow keys lead from topic to topic. */
function TopicGroup({ name, topics, chosen, full, onChange }: GroupProps) {
  return (
    <CompositeProvider>
      <Composite render={<fieldset className="topic-group" />}>
        <legend className="title-xl">{name}</legend>
        <div className="row wrap mt-3">
          {topics.map((topic) => {
            const interest = asInterest(topic);
            const isChosen = chosen.includes(interest);
            return (
              <label key={topic} className="chip ink framed round hover-sunk topic-chip">
                <CompositeItem
                  disabled={full && !isChosen}
                  render={
                    <input
                      type="checkbox"
                      className="visually-hidden"
                      checked={isChosen}
                      onChange={({ target }) => onChange(interest, target.checked)}
                    />
                  }
                />
                {topic}
              </label>
            );
          })}
        </div>
      </Composite>
    </CompositeProvider>
  );
}
