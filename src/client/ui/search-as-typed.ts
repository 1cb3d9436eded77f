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
  inputRef: RefObject<HTMLInputElement | null>,
  { query, addressOf, normalize }: SearchOptions,
) {
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The last query of this field, and the last of the address. Any other came from a link or going back. */
  const sentQuery = useRef(query);
  const addressQuery = useRef(query);
  /** The history entry in which Enter was pressed. */
  const enterKey = useRef<string>(undefined);
  const navigate = useNavigate();
  const { key } = useLocation();

  const search = (trigger: "typing" | "enter"): void => {
    clearTimeout(pause.current);
    const newQuery = normalize(inputRef.current?.value ?? "");
    if (newQuery === query) {
      if (trigger === "enter") enterKey.current = key;
      return;
    }
    sentQuery.current = newQuery;
    const replaces = trigger === "typing" && enterKey.current !== key;
    void navigate(addressOf(newQuery), { replace: replaces });
  };
  // The pause may end in a later render.
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });
  const searchSoon = (): void => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => latest.current("typing"), PAUSE_MS);
  };

  const onAddressChange = useEffectEvent(() => {
    const input = inputRef.current;
    if (!input) return;
    if (query !== addressQuery.current && query !== sentQuery.current) {
      clearTimeout(pause.current);
      sentQuery.current = query;
      input.value = query;
    } else if (normalize(input.value) !== query) searchSoon();
    addressQuery.current = query;
  });
  useEffect(() => onAddressChange(), [query, key]);
  useEffect(() => {
    // Set late, it moves no focus, but keeps the next page from taking it (app/focus-on-navigation.ts).
    inputRef.current?.setAttribute("autofocus", "");
    return () => clearTimeout(pause.current);
  }, [inputRef]);

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    search("enter");
    // A phone's keyboard would cover the results.
    if (matchMedia("(pointer: coarse)").matches) inputRef.current?.blur();
  };
  const onInput = ({ nativeEvent }: FormEvent<HTMLInputElement>): void => {
    // Not while a word is being composed.
    if (!(nativeEvent as InputEvent).isComposing) searchSoon();
  };
  return { search, onSubmit, boxProps: { onInput, onCompositionEnd: searchSoon } };
}
