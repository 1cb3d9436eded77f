import { useEffect, useEffectEvent } from "react";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { LiveEvent, LiveMessage, TopicName } from "../../shared/live.ts";
import type { Viewer } from "../../shared/users.ts";
import { ExternalStore, useStore } from "../ui/external-store.ts";
import type {
  Mutation,
  MutationContext,
  OptimisticMutations,
  PendingMutation,
} from "./mutations/optimistic-mutations.ts";
import type { LiveQueries } from "./queries/live-query.ts";
import { LiveStore } from "./queries/live-store.ts";
import type { StoreConnection } from "./queries/live-store.ts";

interface Live {
  store: LiveStore;
  mutations: OptimisticMutations | undefined;
  context: MutationContext;
}

/** Creates what a member needs to change something; a guest does not load it. */
export type MemberRuntime = (store: LiveStore, context: MutationContext) => OptimisticMutations;

let live: Live | undefined;

/**
 * Creates the tab's live store, and returns a function that starts it. Calls `onUnauthorized` when the session has ended, or
 * the connection was opened before it began. Browser only, once.
 */
export function prepareLive(
  queryClient: QueryClient,
  queries: LiveQueries,
  connection: StoreConnection,
  context: MutationContext,
  onUnauthorized: () => void,
): () => void {
  const store = new LiveStore(queryClient, { ...queries, ...registeredEarly }, connection, {
    client: context.client,
  });
  const created: Live = { store, mutations: undefined, context };
  live = created;
  return () => store.start(() => created.mutations?.onAdvanced(), onUnauthorized);
}

/** Makes mutations possible; to be called before the tab is given a viewer. */
export function startMemberRuntime(create: MemberRuntime): void {
  if (live) live.mutations ??= create(live.store, live.context);
}

/** Live queries of code that was loaded before the live store was created. */
let registeredEarly: LiveQueries = {};

/** Adds live queries that not every page needs; called by the code that shows their answers. */
export function registerLiveQueries(queries: LiveQueries): void {
  registeredEarly = { ...registeredEarly, ...queries };
  live?.store.register(queries);
}

/** Sets the tab's viewer; null for a guest. */
export function setLiveViewer(viewer: Viewer | null): void {
  live?.mutations?.setViewer(viewer);
  live?.store.setViewer(viewer?.id ?? null);
}

function prepared(): Live {
  if (!live) throw new Error("The live store has not been created yet.");
  return live;
}

/** Returns the tab's mutations. Browser only. */
export function optimisticMutations(): OptimisticMutations {
  const { mutations } = prepared();
  if (!mutations) throw new Error("A guest has no mutations.");
  return mutations;
}

/** Returns what this tab's mutations are made with. Browser only. */
export const mutationContext = (): MutationContext => prepared().context;

/**
 * Shows a mutation at once and sends it. Resolves with undefined where it failed, after the page has said why, or where a
 * later one of the same key has replaced it. Browser only.
 */
export const mutate = <Input, Answer extends { cursor?: string }>(
  create: (context: MutationContext) => Mutation<Input, Answer>,
  input: Input,
  id?: string,
): Promise<Answer | undefined> => optimisticMutations().mutate(create(mutationContext()), input, id);

/** Fetches a query and shows the answer itself instead of merging it. */
export const refetchNow = (queryKey: QueryKey): Promise<void> =>
  live?.store.queries.refetchNow(queryKey) ?? Promise.resolve();

/** Updates a query with data that was read beside the cache (`CachedQueries.updateAt`). */
export const updateAnswerAt: LiveStore["queries"]["updateAt"] = (...parts) =>
  live?.store.queries.updateAt(...parts) ?? false;

/** Shows an answer that came with a mutation as this query's. */
export const setAnswer = (queryKey: QueryKey, answer: unknown): void =>
  live?.store.queries.setAnswer(queryKey, answer);

/** Calls `handle` for each event that this tab receives, after it was applied to what is shown. */
export function useLiveEvents(handle: (event: LiveEvent, topic: LiveMessage["topic"]) => void): void {
  const onEvent = useEffectEvent(handle);
  useEffect(() => live?.store.listen(({ event, topic }) => onEvent(event, topic)), []);
}

/** Follows a topic that belongs to no query, while the component is shown. */
export function useTopic(topic: TopicName | null): void {
  useEffect(() => (topic === null ? undefined : live?.store.followTopic(topic)), [topic]);
}

const none = new ExternalStore<readonly PendingMutation[]>([]);

/** Returns the viewer's mutations whose events have not arrived yet. */
export const usePendingMutations = (): readonly PendingMutation[] =>
  useStore(live?.mutations?.pending ?? none);
