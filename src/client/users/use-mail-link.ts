import { useEffect, useEffectEvent, useState } from "react";
import { useParams } from "react-router-dom";

/** A link of a mail works once: however often React runs an effect or the session changes under the page, it is sent one time. */
const asked = new Map<string, Promise<unknown>>();

/**
 * Sends the token of the page's address. The script makes the call, so that a mail scanner that only fetches the link does
 * nothing (docs/specification.md, 2.22).
 */
export function useMailLink<Answer>(
  send: (asked: { token: string }) => Promise<Answer>,
  onDone: (answer: Answer) => void,
): { failure: unknown; retry: () => void } {
  const { token = "" } = useParams();
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const ask = useEffectEvent(() => send({ token }));
  const succeed = useEffectEvent(onDone);

  useEffect(() => {
    let left = false;
    const answer = (asked.get(token) as Promise<Answer> | undefined) ?? ask();
    asked.set(token, answer);
    answer.then(
      (said) => !left && succeed(said),
      (error: unknown) => {
        asked.delete(token);
        if (!left) setFailure(error);
      },
    );
    return () => {
      left = true;
    };
  }, [token, tries]);

  const retry = (): void => {
    setFailure(null);
    setTries(tries + 1);
  };
  return { failure, retry };
}
