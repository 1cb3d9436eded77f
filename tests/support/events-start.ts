type Fetch = (address: string, init: { headers: Record<string, string> }) => Promise<{ body: unknown }>;

/**
 * Reads a stream of server-sent events up to its first checkpoint, or to the error that refuses it, and closes it. Returns the
 * text so far.
 */
export async function readEventsStart(
  address: string,
  { headers = {}, fetch: get = fetch }: { headers?: Record<string, string>; fetch?: Fetch } = {},
): Promise<string> {
  const { body } = await get(address, { headers: { ...headers, accept: "text/event-stream" } });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('"kind":"checkpoint"')) break;
  }
  return text;
}
