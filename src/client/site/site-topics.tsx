import { countText } from "../../shared/count-text.ts";
import { useState } from "react";
import type { FormEvent } from "react";
import { parseGroups, parseTopics } from "../../shared/interests.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { SiteSettings } from "../../shared/site.ts";
import { trpc } from "../api/trpc.ts";
import { useFormSubmit } from "../sign-in/use-form-submit.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { toast, toastWithUndo } from "../ui/toasts.tsx";

type Name = keyof SiteSettings["defaults"];

interface List {
  label: string;
  hint: string;
  noun: string;
  /** The stored text, as it is easy to edit. */
  asEdited: (stored: string) => string;
  count: (text: string) => string;
}

const lists: Record<Name, List> = {
  recommendedTopics: {
    label: "Recommended topics",
    hint: "Each topic on a line. They lead to a search, beside the feed and in Explore.",
    noun: "topics",
    asEdited: (stored) => stored,
    count: (text) => `${parseTopics(text).length} of ${staffLimits.topics} topics`,
  },
  interestGroups: {
    label: "Interests",
    hint: "Each group on a line, such as “Gardening: Roses, Compost”. New members choose from them. What people have chosen stays theirs.",
    noun: "interests",
    asEdited: (stored) => stored.replaceAll("\n", "\n\n"),
    count: (text) => {
      const groups = parseGroups(text);
      const topics = groups.reduce((sum, group) => sum + group.topics.length, 0);
      return `${groups.length} of ${staffLimits.groups.max} groups, ${countText(topics, "topic")}`;
    },
  },
};

/** What the site offers to read about. */
export function SiteTopics({ settings }: { settings: SiteSettings }) {
  return (
    <section className="stack gap-6 staff-topics" aria-labelledby="site-topics">
      <h2 id="site-topics">Topics</h2>
      {(Object.keys(lists) as Name[]).map((name) => (
        <ListForm key={name} name={name} stored={settings[name]} usual={settings.defaults[name]} />
      ))}
    </section>
  );
}

/** `usual` is the default, which is stored as empty. */
function ListForm({ name, stored, usual }: { name: Name; stored: string; usual: string }) {
  const { label, hint, noun, asEdited, count } = lists[name];
  const hydrated = useHydrated();
  const setSite = trpc.administration.setSite.useMutation();
  const { form, busy, general, send, box } = useFormSubmit();
  // What was typed stays when another administrator saves; once saved, the stored text replaces it.
  const [typed, setTyped] = useState<{ text: string; savedOver?: string } | null>(null);
  const isOver = typed?.savedOver !== undefined && typed.savedOver !== stored;
  if (isOver) setTyped(null);
  const text = typed && !isOver ? typed.text : asEdited(stored || usual);
  const save = (newText: string, undo?: () => void): void =>
    send(async () => {
      const { message } = await setSite.mutateAsync({ [name]: newText });
      setTyped({ text: newText || asEdited(usual), savedOver: stored });
      if (undo) toastWithUndo(message, undo);
      else toast({ kind: "success", message });
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(text);
  };
  return (
    <form ref={form} className="stack gap-4 staff-form" onSubmit={submit} aria-label={label}>
      <TextArea
        label={label}
        hint={hint}
        {...box(name)}
        required={false}
        value={text}
        // What is typed before would not be counted and saved.
        readOnly={!hydrated}
        onChange={(event) => setTyped({ text: event.target.value })}
        rows={9}
      />
      <p className="alert" role="alert">
        {general}
      </p>
      <div className="row wrap">
        <Button type="submit" busy={busy}>
          Save {noun}
        </Button>
        {text !== asEdited(usual) && (
          <Button kind="quiet" busy={busy} onClick={() => save("", () => save(text))}>
            Reset to default
          </Button>
        )}
        <p className="note tabular">{count(text)}</p>
      </div>
    </form>
  );
}
