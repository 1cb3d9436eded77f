import { useEffect, useEffectEvent, useRef } from "react";
import type { FormEvent, RefObject } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/** How long nobody types before what stands in the box is searched for. */
const PAUSE = 250;

interface Asking {
  /** What the address asks for. */
  query: string;
  /** The address that asks for something else. */
  addressOf: (query: string) => string;
  /** What stands in the box, as it is searched for. */
  cleaned: (text: string) => string;
}

/**
 * A box whose words are searched for as they are typed. They take the place of the address after a pause; Enter makes it an entry of the
 * history, so that what is typed next does not overwrite it. The text is the browser's own, so that nothing typed before the script has
 * come is lost.
 */
export function useAskAsTyped(
  box: RefObject<HTMLInputElement | null>,
  { query, addressOf, cleaned }: Asking,
) {
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
    void navigate(addressOf(wanted), { replace: replaces });
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
  useEffect(() => arrived(), [query, key]);
  useEffect(() => {
    // Set late it moves no focus, but the page that comes while one types leaves the focus here (app/arrive.ts).
    box.current?.setAttribute("autofocus", "");
    return () => clearTimeout(pause.current);
  }, [box]);

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    ask("enter");
    // The keyboard of a phone would cover what was found.
    if (matchMedia("(pointer: coarse)").matches) box.current?.blur();
  };
  const onInput = ({ nativeEvent }: FormEvent<HTMLInputElement>): void => {
    // A word that is still being composed is none to search for yet.
    if (!(nativeEvent as InputEvent).isComposing) askSoon();
  };
  return { ask, onSubmit, boxProps: { onInput, onCompositionEnd: askSoon } };
}
