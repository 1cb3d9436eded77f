import { useNavigate } from "react-router-dom";
import { useViewer } from "../users/viewer.ts";
import { askToSignIn, tellFailure } from "./failure.ts";
import { useStanding, wishes } from "./standing.ts";
import type { Standing } from "./wishes.ts";

interface Options {
  /** One of `switchKey`. */
  key: string;
  /** The server's word, from the cache. */
  standing: Standing;
  /** Asks the server for a state, and answers with the one that it has then. */
  send: (on: boolean) => Promise<Standing>;
  /** Puts the server's word into the cache. */
  store: (settled: Standing) => void;
  /** What a guest is told. */
  signIn: string;
  /** After the server's word has come; `want` turns the switch again. */
  onSettled?: (from: Standing, settled: Standing, want: (on: boolean, from: Standing) => void) => void;
}

/** A switch as it shows now, and the turning of it: at once here, then on the server; taken back where that fails. */
export function useSwitch({ key, standing, send, store, signIn, onSettled }: Options): Standing & {
  press: () => void;
} {
  const { on, count } = useStanding(key, standing);
  const viewer = useViewer();
  const navigate = useNavigate();

  const want = (wanted: boolean, from = standing): void => {
    let settled = from;
    wishes
      .want(key, wanted, from, send, (word) => {
        settled = { on: word.on, count: word.count ?? settled.count };
        store(word);
      })
      .then(() => onSettled?.(from, settled, want))
      .catch((error: unknown) => tellFailure(error, navigate, () => want(wanted)));
  };
  return { on, count, press: () => (viewer ? want(!on) : askToSignIn(signIn, navigate)) };
}
