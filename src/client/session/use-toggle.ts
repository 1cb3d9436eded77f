import { useNavigate } from "react-router-dom";
import { mutationContext, optimisticMutations } from "../live/live.ts";
import type { Mutation, MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { useViewer } from "./viewer.ts";
import { askToSignIn } from "./failure.ts";
import { rememberToggle } from "../live/mutations/recent-toggles.ts";

/** The wanted state. */
interface ToggleInput {
  on: boolean;
}

/** Creates the mutation of a toggle, such as like or follow. */
export type ToggleMutation<Input, Answer> = (
  context: MutationContext,
) => Mutation<ToggleInput & Input, Answer & { cursor?: string }>;

interface Options<Input extends ToggleInput, Answer extends { cursor?: string }> {
  mutation: (context: MutationContext) => Mutation<Input, Answer>;
  /** The state that the page shows, and whose it is. */
  input: Input;
  /** The message to a guest. */
  signIn: string;
  /** Called with the answer, unless it was toggled again since; `set` sets the state once more. */
  onSettled?: (answer: Answer, set: (on: boolean) => void) => void;
}

/** Returns a function that toggles: at once on the page, then on the server; an error sets it back. */
export function useToggle<Input extends ToggleInput, Answer extends { cursor?: string }>({
  mutation: create,
  input,
  signIn,
  onSettled,
}: Options<Input, Answer>): () => void {
  const viewer = useViewer();
  const navigate = useNavigate();
  return () => {
    if (!viewer) return askToSignIn(signIn, navigate);
    const mutations = optimisticMutations();
    const mutation = create(mutationContext());
    const key = mutation.key(input);
    // A second press may come before the first is rendered.
    const pendingInput = (): ToggleInput | undefined =>
      mutations.all().findLast((pending) => pending.key === key)?.input as ToggleInput | undefined;
    const set = (on: boolean): void => {
      rememberToggle(key, on);
      void mutations.mutate(mutation, { ...input, on }).then((answer) => {
        if (answer && (pendingInput()?.on ?? on) === on) onSettled?.(answer, set);
      });
    };
    set(!(pendingInput() ?? input).on);
  };
}
