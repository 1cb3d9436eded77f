import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { showFailure } from "./failure.ts";
import { toast, toastWithUndo } from "../ui/toasts.tsx";

interface Answer {
  message: string;
}

/** The part of `trpc.….useMutation()` that is used. */
interface Mutation<Input> {
  mutateAsync: (input: Input) => Promise<Answer>;
  isPending: boolean;
}

/**
 * Returns a function that runs a mutation and shows its message, with an Undo button if `undo` is given, or the failure with a
 * Retry button.
 */
export function useMutationMessage<Input>({ mutateAsync, isPending }: Mutation<Input>) {
  const navigate = useNavigate();
  const attempt = async (call: () => Promise<Answer>, undo?: () => Promise<Answer>): Promise<void> => {
    try {
      const { message } = await call();
      if (undo) toastWithUndo(message, () => void attempt(undo));
      else toast({ kind: "success", message });
    } catch (error) {
      showFailure(error, navigate, () => void attempt(call, undo), messages.update);
    }
  };
  return {
    busy: isPending,
    run: (input: Input, undo?: () => Promise<Answer>): Promise<void> =>
      attempt(() => mutateAsync(input), undo),
  };
}
