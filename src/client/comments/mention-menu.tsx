import { Popover, usePopoverStore } from "@ariakit/react/popover";
import { useEffect, useEffectEvent, useId, useLayoutEffect, useState, useSyncExternalStore } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { CommentList } from "../../shared/comments.ts";
import type { Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { useFoundPeople } from "../profiles/found-people.ts";
import { useViewer } from "../session/viewer.ts";
import { Avatar } from "../ui/avatar.tsx";
import { isComposing } from "../ui/composing.ts";
import "../ui/menu.css";

const maxSuggestions = 5;

interface Props {
  box: HTMLTextAreaElement;
  /** The text of the box. */
  value: string;
  blog: BlogPage;
}

/** Suggests people for the `@` before the caret: the authors and commenters of the blog before others. The text keeps the focus. */
export default function MentionMenu({ box, value, blog }: Props) {
  const id = useId();
  const me = useViewer()?.id;
  const { data: list } = trpc.comments.list.useQuery({ blogId: blog.id });
  const caret = useSyncExternalStore(onSelectionChange, () =>
    document.activeElement === box && box.selectionStart === box.selectionEnd ? box.selectionEnd : -1,
  );
  const typed = caret === -1 ? null : /(?:^|[^\w@./-])@([\w.-]*)$/.exec(value.slice(0, caret));
  const query = typed?.[1]?.toLowerCase() ?? "";
  const from = caret - query.length - 1;
  const found = useFoundPeople(query);
  const others = found.query === query ? found.people : [];
  const suggestions = typed
    ? uniquePeople([...commentersOf(blog, list).filter((person) => isMeant(person, query)), ...others])
        .filter((person) => person.id !== me)
        .slice(0, maxSuggestions)
    : [];
  const [closedAt, setClosedAt] = useState(-1);
  const [picked, setPicked] = useState<{ from: number; query: string; id: string }>();
  const isOpen = suggestions.length > 0 && closedAt !== from && suggestions[0]?.username !== query;
  const isPicked = ({ id: personId }: Person) =>
    picked?.id === personId && picked.from === from && picked.query === query;
  const active = isOpen ? (suggestions.find(isPicked) ?? suggestions[0]) : undefined;
  const popover = usePopoverStore({ open: isOpen, placement: "bottom-start" });
  useLayoutEffect(() => popover.setAnchorElement(box), [popover, box]);

  const choose = ({ username }: Person): void => {
    box.setRangeText(`@${username} `, from, caret, "end");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (!active || isComposing(event) || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && suggestions.at((suggestions.indexOf(active) + step) % suggestions.length);
    if (next) setPicked({ from, query, id: next.id });
    else if (event.key === "Enter") choose(active);
    else if (event.key === "Escape") setClosedAt(from);
    else return;
    event.preventDefault();
    // Neither a new line, nor does Escape close the form.
    event.stopPropagation();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => onKeyDown(event);
    box.addEventListener("keydown", onKey);
    return () => box.removeEventListener("keydown", onKey);
  }, [box]);
  useEffect(() => {
    if (!active) return;
    box.setAttribute("aria-controls", id);
    box.setAttribute("aria-activedescendant", `${id}-${active.id}`);
    return () => {
      box.removeAttribute("aria-controls");
      box.removeAttribute("aria-activedescendant");
    };
  }, [box, id, active]);

  return (
    <Popover
      store={popover}
      id={id}
      role="listbox"
      aria-label="People"
      className="menu"
      gutter={4}
      portal
      autoFocusOnShow={false}
      autoFocusOnHide={false}
      hideOnEscape={false}
      unmountOnHide
    >
      {suggestions.map((person) => (
        <div
          key={person.id}
          id={`${id}-${person.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={person === active}
          data-active-item={person === active || undefined}
          className="menu-item"
          onMouseDown={(event) => {
            event.preventDefault();
            choose(person);
          }}
        >
          <Avatar person={person} size={24} />
          <span>
            <bdi>{person.name}</bdi> <span className="muted">@{person.username}</span>
          </span>
        </div>
      ))}
    </Popover>
  );
}

function onSelectionChange(listener: () => void): () => void {
  document.addEventListener("selectionchange", listener);
  return () => document.removeEventListener("selectionchange", listener);
}

/** Returns the authors of a blog, then those who commented, the last first. */
function commentersOf(blog: BlogPage, list: CommentList | undefined): Person[] {
  const comments = list?.comments.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)) ?? [];
  // Imported guests have no account.
  const people = comments.flatMap(({ author }) => (author?.id ? [author] : []));
  return [blog.author, ...(blog.coAuthors ?? []), ...people];
}

const uniquePeople = (people: readonly Person[]): Person[] => [
  ...new Map(people.map((person) => [person.id, person])).values(),
];

/** Whether a username or a word of a name begins with the query. */
const isMeant = ({ username, name }: Person, query: string): boolean =>
  [username, ...name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(query));
