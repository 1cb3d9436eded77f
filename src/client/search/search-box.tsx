import { useEffect, useEffectEvent, useRef } from "react";
import type { FormEvent, MouseEvent } from "react";
import { limits } from "../../shared/limits.ts";
import { Icon } from "../ui/icon.tsx";
import { useLocation, useNavigate } from "../ui/location.ts";
import { addressOf, cleaned } from "./asked.ts";
import type { Asked } from "./asked.ts";

/** How long nobody types before what stands in the box is searched for. */
const PAUSE = 250;

/**
 * The search field. What is typed takes the place of the address after a pause; Enter makes it an entry of the history,
 * so that what is typed next does not overwrite it. Its text is the browser's own, so that nothing typed before the
 * script has come is lost; without a script it is a form that asks by its address.
 */
export function SearchBox({ query, tab }: Pick<Asked, "query" | "tab">) {
  const box = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What this box asked for last, and the query that it saw last: any other one came by a link or by going back. */
  const asked = useRef(query);
  const seen = useRef(query);
  /** The entry of the history that Enter was pressed in. */
  const entered = useRef<string>(undefined);
  const navigate = useNavigate();
  const { key } = useLocation();

  const ask = (by: "typing" | "enter"): void => {
    clearTimeout(pause.current);
    const wanted = cleaned(box.current?.value ?? "");
    if (wanted === query) {
      if (by === "enter") entered.current = key;
      return;
    }
    asked.current = wanted;
    const replaces = by === "typing" && entered.current !== key;
    void navigate(addressOf({ query: wanted, tab, page: 1 }), { replace: replaces });
  };
  // The pause may end in a later render than it began in.
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  const askSoon = (): void => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => latest.current("typing"), PAUSE);
  };

  const arrived = useEffectEvent(() => {
    const input = box.current;
    if (!input) return;
    if (query !== seen.current && query !== asked.current) {
      clearTimeout(pause.current);
      asked.current = query;
      input.value = query;
    } else if (cleaned(input.value) !== query) askSoon();
    seen.current = query;
  });
  useEffect(() => arrived(), [query, tab, key]);
  useEffect(() => {
    // Set late it moves no focus, but the page that comes while one types leaves the focus here (app/arrive.ts).
    box.current?.setAttribute("autofocus", "");
    return () => clearTimeout(pause.current);
  }, []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    ask("enter");
    // The keyboard of a phone would cover what was found.
    if (matchMedia("(pointer: coarse)").matches) box.current?.blur();
  };
  const clear = (event: MouseEvent): void => {
    if (!box.current || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    box.current.value = "";
    box.current.focus();
    ask("typing");
  };
  return (
    <form className="search-box" role="search" action="/search" onSubmit={submit}>
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
        onInput={({ nativeEvent }) => {
          // A word that is still being composed is none to search for yet.
          if (!nativeEvent.isComposing) askSoon();
        }}
        onCompositionEnd={askSoon}
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
      <a
        className="search-clear"
        href={addressOf({ query: "", tab, page: 1 })}
        aria-label="Clear"
        onClick={clear}
      >
        <Icon name="close" />
      </a>
    </form>
  );
}
