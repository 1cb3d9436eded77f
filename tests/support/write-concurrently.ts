import { newId } from "../../src/server/runtime/ids.ts";
import type { SignedInBrowser } from "./browser.ts";
import { aComment } from "./sample-content.ts";

/** Acknowledged changes. */
export interface AcknowledgedCalls {
  comments: Set<string>;
  likes: Set<string>;
  requestCount: number;
}

/** Sends so many comments and likes of all people, each person one after the other. */
export async function writeConcurrently(
  people: SignedInBrowser[],
  blog: { id: string },
  acknowledged: AcknowledgedCalls,
  count = 200,
): Promise<void> {
  const calls = count / people.length;
  const addTo = (store: Set<string>, key: string) => () => void store.add(key);
  const failed = () => undefined;
  await Promise.all(
    people.map(async ({ api, me }) => {
      for (let index = 0; index < calls; index += 2) {
        const id = newId();
        acknowledged.requestCount += 2;
        await api.comments.create
          .mutate(aComment(blog, { id, text: `${me.name} ${index}` }))
          .then(addTo(acknowledged.comments, id), failed);
        const lastComment = [...acknowledged.comments].at(-1);
        if (lastComment)
          await api.comments.like
            .mutate({ id: lastComment, liked: true })
            .then(addTo(acknowledged.likes, `${lastComment} ${me.id}`), failed);
      }
    }),
  );
}
