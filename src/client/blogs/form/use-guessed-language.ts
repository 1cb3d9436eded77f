import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { fetchCodeWithRetry } from "../../api/retry.ts";
import { codeLoader } from "../../ui/fetch-code.ts";

/** Milliseconds without a change before the language is guessed again. */
const quiet = 1_000;
const loadGuess = codeLoader(() => import("../../../shared/guess-language.ts"));

/**
 * Guesses the language of the text as the server will when it is published; empty if unsure. `read` returns the text. Returns a
 * function as well, to be called when the text changes; another `textKey` is another text.
 */
export function useGuessedLanguage(read: () => NodeJson, textKey: string): [string, () => void] {
  const [language, setLanguage] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const guess = async (): Promise<void> => {
    try {
      const { guessLanguage } = await fetchCodeWithRetry(loadGuess);
      setLanguage(await guessLanguage(read() as Parameters<typeof guessLanguage>[0]));
    } catch {
      // Without the code the hint stays as it is.
    }
  };
  const guessNow = useEffectEvent(guess);
  useEffect(() => {
    timer.current = setTimeout(() => void guessNow(), 0);
    return () => clearTimeout(timer.current);
  }, [textKey]);
  const textChanged = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void guess(), quiet);
  };
  return [language, textChanged];
}
