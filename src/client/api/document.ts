import { useQuery } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { fetchInTime } from "./fetch-in-time.ts";

export const documentKey = (path: string): readonly [string] => [path];

/** Fetches a JSON document of this site. Throws where there is none. */
async function fetchDocument(path: string): Promise<unknown> {
  const answer = await fetchInTime(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** The document from the cache while it is younger than `maxAge` ms, otherwise by `load`. */
export const loadDocument = (
  queryClient: QueryClient,
  path: string,
  maxAge: number,
  load = fetchDocument,
): Promise<unknown> =>
  queryClient.fetchQuery({
    queryKey: documentKey(path),
    queryFn: () => load(path),
    staleTime: maxAge,
  });

/** A document that the page's `loader` has loaded, as it was then. */
export function useDocument(path: string): { data: unknown; error: unknown; refetch: () => unknown } {
  return useQuery({ queryKey: documentKey(path), queryFn: () => fetchDocument(path), retryOnMount: false });
}
