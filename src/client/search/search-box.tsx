import { useRef } from "react";
import type { MouseEvent } from "react";
import { Form, Link } from "react-router-dom";
import { limits } from "../../shared/limits.ts";
import { Icon } from "../ui/icon.tsx";
import { addressOf, cleaned } from "./asked.ts";
import type { Asked } from "./asked.ts";
import { useAskAsTyped } from "../ui/ask-as-typed.ts";

/** The search field (ask-as-typed.ts); without a script it is a form that asks by its address. */
export function SearchBox({ query, tab }: Pick<Asked, "query" | "tab">) {
  const box = useRef<HTMLInputElement>(null);
  const { ask, onSubmit, boxProps } = useAskAsTyped(box, {
    query,
    cleaned,
    addressOf: (wanted) => addressOf({ query: wanted, tab, page: 1 }),
  });
  const clear = (event: MouseEvent): void => {
    if (!box.current || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    box.current.value = "";
    box.current.focus();
    ask("typing");
  };
  return (
    <Form className="search-box" role="search" action="/search" onSubmit={onSubmit}>
      <label htmlFor="search" className="visually-hidden">
        Search
      </label>
      <Icon name="search" size={22} />
      <input
        ref={box}
        id="search"
        name="q"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.search.max}
        placeholder="Blogs, topics, people"
        aria-keyshortcuts="/"
        data-key="/"
        defaultValue={query}
        {...boxProps}
        // The key / clicks it (ui/keys.ts); a click of the mouse has put the cursor already.
        onClick={({ detail, currentTarget }) => {
          if (detail > 0) return;
          currentTarget.focus();
          currentTarget.select();
        }}
      />
      {tab === "people" && <input type="hidden" name="tab" value="people" />}
      <kbd className="search-key" aria-hidden="true">
        /
      </kbd>
      <Link
        className="search-clear"
        to={addressOf({ query: "", tab, page: 1 })}
        aria-label="Clear"
        onClick={clear}
      >
        <Icon name="close" />
      </Link>
    </Form>
  );
}
