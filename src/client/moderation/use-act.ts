import { messages } from "../../shared/errors.ts";
import { tellFailure } from "../session/failure.ts";
import { useNavigate } from "../ui/location.ts";
import { toast } from "../ui/toasts.tsx";

interface Told {
  message: string;
}

/** As `trpc.….useMutation()` gives it. */
interface Mutation<Input> {
  mutateAsync: (input: Input) => Promise<Told>;
  isPending: boolean;
}

/** Does what a moderator decides, says what came of it, and what `undo` takes back where it can be. The lists hear of it live. */
export function useAct<Input>({ mutateAsync, isPending }: Mutation<Input>) {
  const navigate = useNavigate();
  const attempt = async (call: () => Promise<Told>, undo?: () => Promise<Told>): Promise<void> => {
    try {
      const { message } = await call();
      const action = undo && { label: "Undo", run: () => void attempt(undo) };
      toast({ kind: "success", message, ...(action ? { action } : {}) });
    } catch (error) {
      tellFailure(error, navigate, () => void attempt(call, undo), messages.update);
    }
  };
  return {
    busy: isPending,
    act: (input: Input, undo?: () => Promise<Told>): Promise<void> => attempt(() => mutateAsync(input), undo),
  };
}
