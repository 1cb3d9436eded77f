import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { tellFailure } from "./failure.ts";
import { toast, toastWithUndo } from "../ui/toasts.tsx";

interface Answer {
  message: string;
}

/** As `trpc.….useMutation()` returns it. */
interface Mutation<Input> {
  mutateAsync: (input: Input) => Promise<Answer>;
  isPending: boolean;
}

/**
 * Runs a mutation and shows the message that it answers with, with an Undo button where `undo` is given; after a failure,
 * why it failed and a Retry button.
 */
export function useAct<Input>({ mutateAsync, isPending }: Mutation<Input>) {
  const navigate = useNavigate();
  const attempt = async (call: () => Promise<Answer>, undo?: () => Promise<Answer>): Promise<void> => {
    try {
      const { message } = await call();
      if (undo) toastWithUndo(message, () => void attempt(undo));
      else toast({ kind: "success", message });
    } catch (error) {
      tellFailure(error, navigate, () => void attempt(call, undo), messages.update);
    }
  };
  return {
    busy: isPending,
    act: (input: Input, undo?: () => Promise<Answer>): Promise<void> =>
      attempt(() => mutateAsync(input), undo),
  };
}
