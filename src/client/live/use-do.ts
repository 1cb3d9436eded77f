import { useNavigate } from "react-router-dom";
import { trpc } from "../api/trpc.ts";
import { ownChanges } from "./live.ts";
import type { Act, Hands } from "./own.ts";

/** Does an act: at once here, then on the server. Resolves with undefined where it was refused, which was told then. */
export function useDo(): <Input, Answer extends { cursor?: string }>(
  act: (hands: Hands) => Act<Input, Answer>,
  input: Input,
) => Promise<Answer | undefined> {
  const { client } = trpc.useUtils();
  const navigate = useNavigate();
  return (act, input) => ownChanges().do(act({ client, navigate }), input);
}
