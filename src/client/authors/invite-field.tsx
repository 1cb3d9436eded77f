import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from "@ariakit/react/combobox";
import { useId, useRef, useState } from "react";
import { authorLimits } from "../../shared/authors.ts";
import type { BlogAuthor } from "../../shared/authors.ts";
import { limits } from "../../shared/limits.ts";
import type { Person } from "../../shared/users.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { messages } from "../../shared/errors.ts";
import { useFoundPeople } from "../profiles/found-people.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { isComposing } from "../ui/composing.ts";
import { toast } from "../ui/toasts.tsx";
import { FieldError } from "../ui/field.tsx";
import "../ui/menu.css";

const maxSuggestions = 5;

export function InviteField({ id, authors }: { id: string; authors: readonly BlogAuthor[] }) {
  const field = useId();
  const box = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState("");
  const [error, setError] = useState<string | null>(null);
  const found = useSuggestions(value, authors);
  const left = authorLimits.most - authors.length;

  const inviting = trpc.blogs.inviteAuthor.useMutation({
    onSuccess: ({ message }) => {
      setValue("");
      toast({ kind: "success", message });
    },
    onError: (failure) => setError(errorMessage(failure, messages.connection)),
    onSettled: () => box.current?.focus(),
  });
  const invite = (): void => {
    if (inviting.isPending) return;
    const username = value.trim();
    setError(null);
    if (username === "") {
      setError("Enter a username.");
      return box.current?.focus();
    }
    inviting.mutate({ id, username });
  };
  return (
    <div className="field">
      <label htmlFor={field} className="field-label">
        Invite by username
      </label>
      <div className="authors-invite">
        <ComboboxProvider value={value} setValue={(now) => (setValue(now), setError(null))}>
          <Combobox
            ref={box}
            id={field}
            name="invite"
            className="field-box grow"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="send"
            maxLength={limits.username.max + 1}
            placeholder="@username"
            aria-invalid={error ? true : undefined}
            aria-describedby={`${field}-hint${error ? ` ${field}-error` : ""}`}
            showOnClick={false}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.ctrlKey || event.metaKey || isComposing(event)) return;
              // It has chosen a suggestion. What is drawn does not say so: it can be older or newer than the key.
              if (event.defaultPrevented) return;
              // Enter would submit the form.
              event.preventDefault();
              invite();
            }}
          />
          {found.length > 0 && (
            <ComboboxPopover className="menu authors-found" gutter={4} portal sameWidth aria-label="People">
              {found.map((person) => (
                <ComboboxItem key={person.id} value={person.username} className="menu-item">
                  <Avatar person={person} size={24} />
                  <span className="authors-found-name stack gap-0 grow">
                    <bdi className="clip">{person.name}</bdi>{" "}
                    <span className="muted clip">@{person.username}</span>
                  </span>
                </ComboboxItem>
              ))}
            </ComboboxPopover>
          )}
        </ComboboxProvider>
        <Button busy={inviting.isPending} onClick={invite}>
          Invite
        </Button>
      </div>
      <div className="row top between gap-4 note field-notes" id={`${field}-hint`}>
        <span>
          Authors can write and publish like you. Only you can invite and remove authors, and delete the blog.
          Up to {authorLimits.most} in all, {left} more.
        </span>
      </div>
      <FieldError id={field} error={error} />
    </div>
  );
}

/** Returns matching people who are not authors; none on failure. */
function useSuggestions(value: string, authors: readonly BlogAuthor[]): readonly Person[] {
  const query = value.trim().replace(/^@/, "");
  const found = useFoundPeople(query);
  const isThere = (id: string) => authors.some((author) => author.id === id);
  // A suggestion was chosen.
  if (query.length < 2 || found.people.some(({ username }) => username === query)) return [];
  return found.people.filter(({ id }) => !isThere(id)).slice(0, maxSuggestions);
}
