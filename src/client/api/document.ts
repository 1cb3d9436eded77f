import { useQuery } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";

export const documentKey = (path: string): readonly [string] => [path];

/** Fetches a JSON document of this site. Throws unless the response is ok. */
async function fetchDocument(path: string): Promise<unknown> {
  const answer = await fetchWithTimeout(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** Returns the cached document if younger than `maxAge` ms, else calls `load`. */
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

/** Returns a document as the page's `loader` has loaded it. */
export function useDocument(path: string): { data: unknown; error: unknown; refetch: () => unknown } {
  return useQuery({ queryKey: documentKey(path), queryFn: () => fetchDocument(path), retryOnMount: false });
}
