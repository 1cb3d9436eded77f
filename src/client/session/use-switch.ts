import { useNavigate } from "react-router-dom";
import { ownChanges, ownHands } from "../live/live.ts";
import type { Act, Hands } from "../live/own.ts";
import { useViewer } from "./viewer.ts";
import { askToSignIn } from "./failure.ts";
import { turnHere } from "../live/turned-here.ts";

/** A switch of something: the wanted state, not a toggle. */
interface Turn {
  on: boolean;
}

/** What a switch does. */
export type TurnAct<Input, Answer> = (hands: Hands) => Act<Turn & Input, Answer & { cursor?: string }>;

interface Options<Input extends Turn, Answer extends { cursor?: string }> {
  act: (hands: Hands) => Act<Input, Answer>;
  /** How it shows, and what is turned. */
  input: Input;
  /** What a guest is told. */
  signIn: string;
  /** After the server's word has come and nothing was turned since; `turn` turns it again. */
  onSettled?: (answer: Answer, turn: (on: boolean) => void) => void;
}

/** Turns a switch round: at once here, then on the server; taken back where it is refused. */
export function useSwitch<Input extends Turn, Answer extends { cursor?: string }>({
  act: actOf,
  input,
  signIn,
  onSettled,
}: Options<Input, Answer>): () => void {
  const viewer = useViewer();
  const navigate = useNavigate();
  return () => {
    if (!viewer) return askToSignIn(signIn, navigate);
    const own = ownChanges();
    const act = actOf(ownHands());
    const key = act.key(input);
    // A second press may come before the first is drawn.
    const wanted = (): Turn | undefined =>
      own.all().findLast((change) => change.key === key)?.input as Turn | undefined;
    const turn = (on: boolean): void => {
      turnHere(key, on);
      void own.do(act, { ...input, on }).then((answer) => {
        if (answer && (wanted()?.on ?? on) === on) onSettled?.(answer, turn);
      });
    };
    turn(!(wanted() ?? input).on);
  };
}
