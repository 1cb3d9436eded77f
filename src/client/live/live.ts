import { useEffect, useEffectEvent } from "react";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { LiveEvent, LiveMessage, TopicName } from "../../shared/live.ts";
import type { Viewer } from "../../shared/users.ts";
import { ExternalStore, useStore } from "../ui/external-store.ts";
import type { KeptTable } from "./kept.ts";
import type { Act, Hands, OwnChange, OwnChanges } from "./own.ts";
import { LiveStore } from "./store.ts";
import type { Line } from "./store.ts";

interface Live {
  store: LiveStore;
  own: OwnChanges | undefined;
  hands: Hands;
}

/** Makes what keeps the own changes of a tab. */
export type OwnSide = (store: LiveStore, hands: Hands) => OwnChanges;

let live: Live | undefined;

/**
 * Makes ready to keep what this tab shows, and returns how to begin. `onUnauthorized` hears that the session is over, or
 * older than the line. Browser only, once.
 */
export function prepareLive(
  queryClient: QueryClient,
  table: KeptTable,
  line: Line,
  hands: Hands,
  onUnauthorized: () => void,
): () => void {
  const store = new LiveStore(queryClient, { ...table, ...also }, line, { client: hands.client });
  const here: Live = { store, own: undefined, hands };
  live = here;
  return () => store.start(() => here.own?.passed(), onUnauthorized);
}

/** Lets somebody do things here; to be called before the tab becomes theirs. */
export function takeOwnSide(make: OwnSide): void {
  if (live) live.own ??= make(live.store, live.hands);
}

/** Rows of code that came before the page began to live. */
let also: KeptTable = {};

/** Keeps these answers, too: rows that not every page needs, which come with the code that shows them. */
export function keepAlso(rows: KeptTable): void {
  also = { ...also, ...rows };
  live?.store.keepAlso(rows);
}

/** Whose tab this is from now on. */
export function becomeLive(viewer: Viewer | null): void {
  live?.own?.become(viewer);
  live?.store.become(viewer?.id ?? null);
}

function begun(): Live {
  if (!live) throw new Error("The page has not begun to live.");
  return live;
}

/** What this person does in the tab. Browser only. */
export function ownChanges(): OwnChanges {
  const { own } = begun();
  if (!own) throw new Error("Nobody is signed in here.");
  return own;
}

/** What acts are done with in this tab. Browser only. */
export const ownHands = (): Hands => begun().hands;

/**
 * Does an act: at once here, then on the server. Resolves with undefined where it was refused, after the act has shown why, or
 * where another turn of the same switch has replaced it. Browser only.
 */
export const doAct = <Input, Answer extends { cursor?: string }>(
  act: (hands: Hands) => Act<Input, Answer>,
  input: Input,
  id?: string,
): Promise<Answer | undefined> => ownChanges().do(act(ownHands()), input, id);

/** Asks for an answer as it is now, whatever was shown before. */
export const askAnew = (queryKey: QueryKey): Promise<void> => live?.store.anew(queryKey) ?? Promise.resolve();

/** Adds what was read beside the cache to an answer in it (`LiveStore.join`). */
export const joinLive: LiveStore["join"] = (...parts) => live?.store.join(...parts) ?? false;

/** Shows what a change answered with as this query's answer. */
export const takeAnswer = (queryKey: QueryKey, answer: unknown): void => live?.store.take(queryKey, answer);

/** Calls `handle` for each event that this tab hears, after it was applied to what is shown. */
export function useLiveEvents(handle: (event: LiveEvent, topic: LiveMessage["topic"]) => void): void {
  const heard = useEffectEvent(handle);
  useEffect(() => live?.store.listen(({ event, topic }) => heard(event, topic)), []);
}

/** Follows a topic that no answer in the cache stands for, while the component is shown. */
export function useTopic(topic: TopicName | null): void {
  useEffect(() => (topic === null ? undefined : live?.store.want(topic)), [topic]);
}

const none = new ExternalStore<readonly OwnChange[]>([]);

/** The viewer's own changes that the server has not told of yet. */
export const useOwnChanges = (): readonly OwnChange[] => useStore(live?.own?.changes ?? none);
