import type { Page } from "@playwright/test";

interface Loaded {
  url: string;
  /** As sent over the network, with headers. */
  bytes: number;
}

export interface Weight {
  requests: Loaded[];
  /** In kilobytes, of addresses with this end or of all. */
  kilobytes: (end?: string) => number;
}

/** Returns what a new window loads with a page, until nothing has arrived for half a second. */
export async function measurePageWeight(page: Page, address: string): Promise<Weight> {
  const session = await page.context().newCDPSession(page);
  const requests = new Map<string, Loaded>();
  const begin = (id: string, url: string): void => void requests.set(id, { url, bytes: 0 });
  const add = (id: string, bytes: number): void => {
    const request = requests.get(id);
    if (request) request.bytes += bytes;
  };
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", ({ requestId, request }) => begin(requestId, request.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    add(requestId, encodedDataLength),
  );
  session.on("Network.webSocketCreated", ({ requestId, url }) => begin(requestId, url));
  session.on("Network.webSocketFrameReceived", ({ requestId, response }) =>
    add(requestId, response.payloadData.length),
  );
  await page.goto(address, { waitUntil: "networkidle" });
  await session.detach();
  const loaded = [...requests.values()];
  return {
    requests: loaded,
    kilobytes: (end = "") =>
      loaded.filter(({ url }) => url.endsWith(end)).reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
  };
}
