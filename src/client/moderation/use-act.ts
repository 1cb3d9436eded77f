import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import { tellFailure } from "../session/failure.ts";
import { useNavigate } from "../ui/location.ts";
import { toast } from "../ui/toasts.tsx";

interface Told {
  message: string;
}

/** Does what a moderator decides, says what came of it, and what `undo` takes back where it can be. The lists hear of it live. */
export function useAct() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState<string | null>(null);
  const act = async (name: string, call: () => Promise<Told>, undo?: () => Promise<Told>): Promise<void> => {
    setBusy(name);
    try {
      const { message } = await call();
      const action = undo && { label: "Undo", run: () => void act(name, undo) };
      toast({ kind: "success", message, ...(action ? { action } : {}) });
    } catch (error) {
      tellFailure(error, navigate, () => void act(name, call, undo), messages.update);
    } finally {
      setBusy(null);
    }
  };
  return { busy, act };
}
