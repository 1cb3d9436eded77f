import type { DemoBlog } from "./demo-blog.ts";

/** Chidinma Okwuosa: Node.js, Express and MongoDB, with numbers. */
export const backendBlogs: DemoBlog[] = [
  {
    author: "chidinma",
    title: "Your Express error handler has four arguments. Count them.",
    description: "We removed one unused variable, and with it all our error handling.",
    tags: ["express", "nodejs", "javascript"],
    daysAgo: 1.9,
    cover: { motif: "brackets" },
    body: `Monday, 09:12. Every planned 404 in the shop turned into a 500 with a stack trace. The diff of the release: 61 files, all of it "chore: fix lint warnings".

This is what it took to please the linter.

~~~diff
-app.use((err, req, res, next) => {
+app.use((err, req, res) => {
   log.error({ err, path: req.path });
   res.status(err.status ?? 500).json({ message: err.message });
 });
~~~

\`next\` was unused. So it went. Express decides what a function *is* by counting its arguments: \`fn.length === 4\` means error handler, anything else means ordinary middleware. With three, ours became ordinary middleware, whose \`err\` was the request, whose \`req\` was the response, and whose \`res\` was \`next\`.

Consequences:

1. Real errors skipped it and landed in Express's own handler. Outside production that prints the stack. Staging was not set to production. Neither, it turned out, was one of the four live machines.
2. Requests that matched no route fell *into* it and died on \`res.status is not a function\`.

## The fix

~~~js
// Express recognises an error handler by its four parameters: \`next\` must stay.
app.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  const status = err.status ?? 500;
  if (status >= 500) log.error({ err, path: req.path });
  res.status(status).json({
    message: status < 500 ? err.message : "Something went wrong",
  });
});
~~~

Look, \`next\` has a job now. If the headers are out, you cannot send a second answer; handing the error on makes Express close the connection, which is the only honest thing left to do. The linter had been right that something was missing. It guessed the wrong thing.

## The test we did not have

~~~js
test("an error nobody planned tells the visitor nothing", async () => {
  const answer = await fetch(address + "/test-only/explode");
  assert.equal(answer.status, 500);
  assert.deepEqual(await answer.json(), { message: "Something went wrong" });
});
~~~

Nine lines with the route. It runs in 14 ms. The outage was 38 minutes.

Express says it [in the documentation](https://expressjs.com/en/guide/error-handling.html), in a sentence with "even if you don't need". I had read that sentence. So had the person who approved the diff, which was me.`,
  },
  {
    author: "chidinma",
    title: "The index we forgot",
    description: "41,873 documents read to show 20. One compound index in the right order.",
    tags: ["mongodb", "nodejs", "performance"],
    daysAgo: 16.1,
    cover: { motif: "stack" },
    body: `The page "open orders" took 1.9 seconds for our largest shop and 11 ms for everyone else, so for a year nobody believed the largest shop.

The query:

~~~js
db.orders
  .find({ shop: 17, status: "open", total: { $gt: 50 } })
  .sort({ createdAt: -1 })
  .limit(20);
~~~

There was an index, on \`{ shop: 1 }\`. It was made when a shop had forty orders. I ran it with \`.explain("executionStats")\`:

| | before | after |
| --- | ---: | ---: |
| keys examined | 41,873 | 63 |
| documents examined | 41,873 | 20 |
| returned | 20 | 20 |
| sort in memory | yes | no |
| time | 1,912 ms | 2 ms |

## The order of the fields is the whole trick

~~~js
db.orders.createIndex({ shop: 1, status: 1, createdAt: -1, total: 1 });
~~~

Equality first, then sort, then range. MongoDB's manual calls it [the ESR guideline](https://www.mongodb.com/docs/manual/tutorial/equality-sort-range-guideline/). Think of a phone book for one town, one street, newest neighbours first. With \`total\` before \`createdAt\` the entries that match come out ordered by price, and somebody must sort them again by date. With \`createdAt\` first you walk down the list in the right order already, skip the cheap ones while they are still only index keys, and stop at twenty.

63 keys for 20 results: 43 orders under fifty pounds. That is the price of the order, and it is a good one.

## Why nobody saw it

Development data. Our seed script made 12 shops with 100 orders each. At that size every plan is fast, and the planner is right not to care. The seed script now makes one monster. It is called Shop 17, out of respect.

I also log any query that examines more than 50 times what it returns. On the first day it found three others. One of them was mine, from 2021, with the comment \`// fine for now\`.`,
  },
  {
    author: "chidinma",
    title: "Graceful shutdown, or how to close a shop",
    description: "You do not switch off the light while somebody is paying.",
    tags: ["nodejs", "express", "operations"],
    daysAgo: 51.0,
    cover: { motif: "windows" },
    body: `Malika asked me what our servers do at night, and I found that the best explanation of SIGTERM I know is a shop at six o'clock.

1. Turn the sign on the door to Closed. People outside must *see* it, so wait a moment.
2. Let nobody new in.
3. Serve those who are inside.
4. At some point, kindly, throw out the last one.
5. Count the till. Go home.

Most services I have met in Node.js do step 5 and hope.

~~~js
import { setTimeout as wait } from "node:timers/promises";

process.once("SIGTERM", async () => {
  ready = false; // 1: GET /ready answers 503 from here on
  await wait(5_000); // the load balancer looks every two seconds

  const lastOrders = setTimeout(() => server.closeAllConnections(), 20_000); // 4
  server.close(async () => {
    // 2 and 3: called when the last answer is out
    clearTimeout(lastOrders);
    await database.close(); // 5
    process.exit(0);
  });
});
~~~

Notes. \`server.close()\` has closed idle keep-alive connections by itself since Node 19; before, one browser with an open tab could hold your deployment for a minute. The five seconds feel like waste. We tried without: 0.3% of requests failed at each release. We release nine times a day.

Step 4 has happened to us four times this year. Each time it was the export for the accountants.`,
  },
  {
    author: "chidinma",
    title: "I read a 9 GB file on a laptop with 8",
    description: "Streams, one line at a time, and the mistake I made first.",
    tags: ["nodejs", "javascript", "performance"],
    daysAgo: 74.8,
    body: `Question from finance: total turnover per postcode, three years. Source: one file with a JSON document per line, 9.1 GB.

First try, \`readFileSync\`. Node refuses before trying. Second try:

~~~js
stream.on("data", async (chunk) => {
  await save(parse(chunk));
});
~~~

This is the interesting mistake. The stream does not wait for your \`await\`. It fires the next chunk at you, and the next, and all those half-finished saves pile up in memory, politely, until the kernel arrives.

Third try:

~~~js
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const lines = createInterface({ input: createReadStream("orders.ndjson") });
const turnover = new Map();

for await (const line of lines) {
  const { postcode, total } = JSON.parse(line);
  turnover.set(postcode, (turnover.get(postcode) ?? 0) + total);
}
~~~

71 MB at the peak, 2 min 40 s. I made tea.

The totals are integers, in pence. If yours are not, you have a different problem and it is older.`,
  },
  {
    author: "chidinma",
    title: "Postmortem: the Tuesday the cart forgot",
    description: "Two tabs, one cart, a missing teapot.",
    tags: ["mongodb", "express", "nodejs"],
    daysAgo: 120.6,
    body: `**What people saw.** Put a teapot in the cart in one tab, cups in another. Checkout has cups. No teapot.

**What happened.** Our Express route read the cart, changed it in JavaScript, and wrote it back whole.

~~~js
const cart = await carts.findOne({ _id: id });
cart.lines.push(line);
await carts.replaceOne({ _id: id }, cart);
~~~

Two of these at the same time: both read an empty cart, both write one line, the second one wins. Nothing fails and nothing is logged.

**What we changed.** Say what you want done, not how the world looks afterwards.

~~~js
await carts.updateOne({ _id: id }, { $push: { lines: line } });
~~~

**How long it was there.** Since the first commit. We noticed because a customer in Leeds owns two monitors.

**What I looked for afterwards.** Every \`replaceOne\` and every \`save()\` that follows a read. Seventeen. Eleven were harmless. I changed all of them, because I don't want to think about which eleven again.`,
  },
  {
    author: "chidinma",
    title: "Second soprano, first row",
    description: "What four months in Mina's choir did to my code reviews.",
    tags: ["choir", "work"],
    daysAgo: 36.2,
    cover: { motif: "staves" },
    body: `I joined because of a bet and stayed because of bar 31.

Bar 31 is where the second sopranos hold an F while everyone else walks off in some direction. For three weeks I sang it with full confidence and it was wrong. Nobody said so. The conductor said: "Seconds, listen to the tenors there." So I listened, and heard myself rub against them like a bad wheel bearing.

On Monday I had a code review to write. I had already typed "this is wrong". I deleted it and typed "read this next to what the payment module does". He came over ten minutes later and said oh. Just oh.

The F, by the way, was an F sharp. It was printed right there.`,
  },
  {
    author: "chidinma",
    title: "Rent, rice, index fund",
    description: "My money in one table. No app.",
    tags: ["finance"],
    daysAgo: 143.3,
    body: `Three standing orders on the day after payday. Everything else is for living, and I don't look at it.

| to | share |
| --- | ---: |
| rent, power, phone, rice | 54% |
| my mother | 10% |
| one boring world fund | 16% |
| what's left | 20% |

Rice has its own mention because I buy 20 kg at a time and it is the only bulk purchase that ever paid off. The 20 kg of cumin did not.

The only rule that mattered in nine years: when pay goes up, the table's percentages stay and the standing orders get retyped the *same day*, before I get used to the money.`,
  },
];
