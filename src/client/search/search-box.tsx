import { useRef } from "react";
import type { ComponentProps, MouseEvent } from "react";
import { Form } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { limits } from "../../shared/limits.ts";
import { Icon } from "../ui/icon.tsx";
import { searchAddress, cleanQuery } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";
import { useSearchAsTyped } from "../ui/search-as-typed.ts";
import "../ui/field.css";

/** The search field (search-as-typed.ts); without scripts a plain form. */
export function SearchBox({ query, tab }: Pick<SearchParams, "query" | "tab">) {
  const input = useRef<HTMLInputElement>(null);
  const { search, onSubmit, boxProps } = useSearchAsTyped(input, {
    query,
    normalize: cleanQuery,
    addressOf: (newQuery) => searchAddress({ query: newQuery, tab, page: 1 }),
  });
  const clear = (event: MouseEvent): void => {
    if (!input.current || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    input.current.value = "";
    input.current.focus();
    search("typing");
  };
  return (
    <Form className="row muted field-search search-box" role="search" action="/search" onSubmit={onSubmit}>
      <SearchField
        ref={input}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={query}
        {...boxProps}
        // The key / clicks it (ui/keys.ts); a mouse click has already placed the caret.
        onClick={({ detail, currentTarget }) => {
          if (detail > 0) return;
          currentTarget.focus();
          currentTarget.select();
        }}
      />
      {tab === "people" && <input type="hidden" name="tab" value="people" />}
      <kbd className="stack center search-key" aria-hidden="true">
        /
      </kbd>
      <Link
        className="icon-button search-clear"
        to={searchAddress({ query: "", tab, page: 1 })}
        aria-label="Clear"
        onClick={clear}
      >
        <Icon name="close" />
      </Link>
    </Form>
  );
}

/** The field of a search form, with its label and icon. */
export function SearchField(props: ComponentProps<"input">) {
  return (
    <>
      <label htmlFor="search" className="visually-hidden">
        Search
      </label>
      <Icon name="search" size={22} />
      <input
        id="search"
        name="q"
        className="field-box"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        maxLength={limits.search.max}
        placeholder="Blogs, topics, people"
        aria-keyshortcuts="/"
        data-key="/"
        {...props}
      />
    </>
  );
}
