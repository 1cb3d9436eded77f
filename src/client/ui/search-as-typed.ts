import { useEffect, useEffectEvent, useRef } from "react";
import type { FormEvent, RefObject } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/** Milliseconds without typing before the search starts. */
const PAUSE_MS = 250;

interface SearchOptions {
  query: string;
  addressOf: (query: string) => string;
  /** Returns the query of a text. */
  normalize: (text: string) => string;
}

/**
 * A field that searches while its text is typed. After a pause the query replaces the one in the address; Enter makes a history
 * entry, which typing does not overwrite. The field is uncontrolled: text typed before the script loads stays.
 */
export function useSearchAsTyped(
  box: RefObject<HTMLInputElement | null>,
  { query, addressOf, normalize: cleaned }: SearchOptions,
) {
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The last query of this field, and the last of the address. Any other came from a link or going back. */
  const asked = useRef(query);
  const seen = useRef(query);
  /** The history entry in which Enter was pressed. */
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
    void navigate(addressOf(wanted), { replace: replaces });
  };
  // The pause may end in a later render.
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  const askSoon = (): void => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => latest.current("typing"), PAUSE_MS);
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
  useEffect(() => arrived(), [query, key]);
  useEffect(() => {
    // Set late, it moves no focus, but keeps the next page from taking it (app/focus-on-navigation.ts).
    box.current?.setAttribute("autofocus", "");
    return () => clearTimeout(pause.current);
  }, [box]);

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    ask("enter");
    // A phone's keyboard would cover the results.
    if (matchMedia("(pointer: coarse)").matches) box.current?.blur();
  };
  const onInput = ({ nativeEvent }: FormEvent<HTMLInputElement>): void => {
    // Not while a word is being composed.
    if (!(nativeEvent as InputEvent).isComposing) askSoon();
  };
  return { ask, onSubmit, boxProps: { onInput, onCompositionEnd: askSoon } };
}
