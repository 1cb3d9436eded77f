import type { DemoBlog } from "./demo-blog.ts";

/** Inês Quadros: React, CSS and the people who have to use the result. */
export const frontendBlogs: DemoBlog[] = [
  {
    author: "ines.quadros",
    title: "The button that wanted to be a link",
    description: "Somebody reported that middle click does nothing. It took four lines to build that bug.",
    tags: ["html", "react", "accessibility", "css"],
    daysAgo: 0.9,
    cover: { motif: "brackets" },
    body: `A colleague sent me a bug on Friday: "middle click on the product card does nothing." I opened the card and found a \`div\` with an \`onClick\`, a \`role="button"\`, a \`tabIndex\`, and a handler for Enter that somebody had added a year later with the comment "a11y". Four lines to rebuild, badly, what one \`<a href>\` does on its own.

## What we had

~~~jsx
<div
  role="button"
  tabIndex={0}
  onClick={() => navigate("/products/" + id)}
  onKeyDown={(event) => event.key === "Enter" && navigate("/products/" + id)}
>
  {children}
</div>
~~~

If you use a mouse and have your other hand on a coffee, you will never notice. Here is what was missing, as far as I got before lunch:

- Ctrl-click and middle click open nothing
- the address does not show in the corner of the window
- the context menu has no "Copy link"
- a screen reader says "button", so people expect something to happen *here*, and then they are on another page
- while our script is still loading, it is a drawing of a card

## What we have now

~~~jsx
<article className="card">
  <h3>
    <Link to={"/products/" + id}>{name}</Link>
  </h3>
  {children}
</article>
~~~

~~~css
.card {
  position: relative;
}
.card h3 a::after {
  content: "";
  position: absolute;
  inset: 0;
}
~~~

The stretched pseudo-element makes the whole card clickable, and the link is still *called* by the product's name. The usual alternative, an \`<a>\` around everything, makes a screen reader read the price, the discount and the delivery time as one breathless name.

Two things to know. A real button inside the card (ours has "Add to basket") needs \`position: relative\` and a \`z-index\`, so that it lies above. And nobody can select the card's text with a mouse any more. I decided I could live with that; if your card holds a serial number, you can't.

On the note above my monitor it now says: *address changes, link; something happens here, button*. My colleague read it and asked what it is when both happen. We are still talking about it.

The element itself is described [on MDN](https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/a), and I recommend reading the whole page once. I found an attribute I had never seen.`,
  },
  {
    author: "ines.quadros",
    title: "useEffect was the wrong drawer",
    description: "An order list that was always one keystroke behind, and why the fix was to delete things.",
    tags: ["react", "javascript", "webdev"],
    daysAgo: 12.3,
    cover: { motif: "drawers" },
    body: `In my grandmother's kitchen there is a drawer for "things that happen sometimes": string, candles, the key of a cellar we no longer own. \`useEffect\` is that drawer. This is the code I pulled out of ours last week.

~~~jsx
function Orders({ orders }) {
  const [query, setQuery] = useState("");
  const [visible, setVisible] = useState(orders);

  useEffect(() => {
    setVisible(orders.filter((order) => order.client.includes(query)));
  }, [orders, query]);

  return <OrderTable rows={visible} onSearch={setQuery} />;
}
~~~

It works. It also draws the table twice for each letter: once with the new query and the *old* rows, then again with the right ones. On my machine you don't see it. On the warehouse tablet, which is from 2016 and lives in a plastic bag against the dust, the list flickered and Sr. Adelino tapped on the order that had just moved away from under his finger. Somebody in Braga received eleven taps. The bathroom kind.

The repaired version:

~~~jsx
function Orders({ orders }) {
  const [query, setQuery] = useState("");
  const visible = orders.filter((order) => order.client.includes(query));

  return <OrderTable rows={visible} onSearch={setQuery} />;
}
~~~

\`visible\` was never state. It is a sentence about two things we already know. If filtering were slow I would wrap it in \`useMemo\`, but I measured: 900 orders, 0.2 ms, even in the plastic bag.

## How I sort the drawer now

| I want to… | Then it is |
| --- | --- |
| compute something from props and state | a \`const\` during rendering |
| do something because the user pressed | the event handler |
| reset a form when the id changes | a \`key\` on the component |
| listen to something outside React | an effect, at last |

Out of 41 effects in that application, nine were left on Friday evening. One of the nine I don't understand. It has a comment saying *do not remove, ask Paulo*, and Paulo makes cheese in the Azores now.

The React team has a page about exactly this, [You Might Not Need an Effect](https://react.dev/learn/you-might-not-need-an-effect). I had read it before. It is different when it happens to your own taps.`,
  },
  {
    author: "ines.quadros",
    title: "Optimistic likes, and the rollback that ate a comment",
    description:
      "Putting the old list back after an error also puts back everything that was true three seconds ago.",
    tags: ["react", "javascript", "webdev"],
    daysAgo: 44.6,
    cover: { motif: "waves" },
    body: `We show a like before the server has heard of it. Everybody does. I want to write down what we did when the server then said no, because we had it wrong for two years and it took a slow hotel Wi-Fi to show me.

Our code was the version from every tutorial:

~~~js
const before = cache.get(key);
cache.set(key, withLike(before, postId));
try {
  await sendLike(postId);
} catch {
  cache.set(key, before);
}
~~~

Read the last line again. It does not say "take my like away". It says "make the world as it was when I clicked". In between, three seconds have passed, and on a page with live comments three seconds are long: someone had written an answer to me, I had seen it appear, my like failed, and the answer vanished before my eyes. It was in the database, of course. I reloaded and there it was. But for a minute I believed that I had offended somebody.

## Undo your own change, nothing else

~~~js
cache.set(key, (list) => withLike(list, postId));
try {
  await sendLike(postId);
} catch {
  cache.set(key, (list) => withoutLike(list, postId));
}
~~~

Both functions take the list *as it is now*. The failing like removes itself from whatever the world has become. It is the same number of lines, so I have no excuse.

There is a second case, which we only found because I was curious by then. Tap like, tap again to take it back, tap again. Three requests, one train tunnel. They can arrive in any order, and the last answer wins, whatever the person wanted. We now keep what the person *wants* as one value, send that, and send it again only if it changed while the first request was under way. At most one request flies at a time:

~~~js
async function settle(postId) {
  if (flying.has(postId)) return;
  flying.add(postId);
  try {
    let sent;
    while (sent !== wanted.get(postId)) {
      sent = wanted.get(postId);
      await sendLike(postId, sent);
    }
  } finally {
    flying.delete(postId);
  }
}
~~~

Note what this needs from the server: an endpoint that takes "liked: true", not "toggle". A toggle has no memory of what you meant. I have opinions about toggles which I'll spare you today.`,
  },
  {
    author: "ines.quadros",
    title: "Subgrid fixed my invoice",
    description: "Prices that line up across rows, without a table and without a width in pixels.",
    tags: ["css", "html"],
    daysAgo: 83.2,
    cover: { motif: "panes" },
    body: `For years my invoices had a column of prices that did *almost* line up. Each row was its own little grid, and little grids don't know their neighbours.

~~~html
<ol class="invoice">
  <li><span>Design of the booking page</span><span>12 h</span><data value="840">840,00 €</data></li>
  <li><span>Moving a logo to the left</span><span>0,5 h</span><data value="35">35,00 €</data></li>
</ol>
~~~

~~~css
.invoice {
  display: grid;
  grid-template-columns: 1fr max-content max-content;
  column-gap: 1.5rem;
}
.invoice li {
  display: grid;
  grid-column: 1 / -1;
  grid-template-columns: subgrid;
}
.invoice data {
  text-align: end;
  font-variant-numeric: tabular-nums;
}
~~~

The list owns the columns, every row borrows them. The widest price decides for all. Yes, this could have been a \`table\`, and if it had a sum at the bottom and headings at the top it would be one.

*(The logo is back in the middle since Monday. 35,00 €.)*`,
  },
  {
    author: "ines.quadros",
    title: "My grandmother reviews my dark mode",
    description: "User testing with Avó Lurdes, 84, on a Sunday, with soup.",
    tags: ["css", "design", "accessibility"],
    daysAgo: 5.4,
    cover: { motif: "windows" },
    body: `I asked Avó Lurdes to try the pharmacy's new page on my phone. She is 84, has had both cataracts done, and orders her own medicine, thank you. The page was in dark mode because it was evening.

*"Did it break?"*

No, avó, it is dark so that it doesn't hurt your eyes.

*"My eyes are new. They cost four thousand euros. Show me."*

## Her findings, in order

1. Grey text on black is "a priest in a cellar".
2. The red error message is "very pretty" and she has not noticed that it is an error. (Contrast 3.1 to 1. I checked after the soup. She is right.)
3. She pulled the phone to her nose, and it turned out that the text box for the quantity has no border when it is not focused. In light mode it stood on white paper. In the dark it stood on nothing.
4. "Why is the sun a button?" The theme switch. She pressed it and was satisfied with everything from then on.

What I changed on Monday:

~~~css
:root {
  color-scheme: light dark;
  --text: light-dark(#1c1a17, #ece7dd);
  --danger: light-dark(#a3260c, #ff8f73);
  --field-border: light-dark(#8a8378, #8f877b);
}
~~~

\`light-dark()\` is the part I like, because now each colour sits next to its partner and I *see* when one is missing. Before, they lived 200 lines apart and met for the first time on her phone.

She asked what I get paid for this. I told her. She took the soup away to warm it up again, and said from the kitchen that at that price the letters could be bigger.`,
  },
  {
    author: "ines.quadros",
    title: "Things I looked up again this week",
    description: "A list without shame.",
    tags: ["html", "css", "javascript"],
    daysAgo: 27.8,
    body: `- Whether a \`div\` is allowed inside a \`dl\`. (Yes, around a \`dt\` and its \`dd\`. Nothing else.)
- The order in \`inset: 1px 2px 3px 4px\`. Top, right, bottom, left. Like a clock. I know it is like a clock. I looked it up anyway.
- \`toSorted\`. Twice. I keep writing \`[...list].sort()\` out of habit and then feeling old.
- Which one is \`justify\` and which one is \`align\`. I have done this job for eleven years.
- How to write "à" on the keyboard of the woman next to me on the train, who had asked.`,
  },
  {
    author: "ines.quadros",
    title: "Leaving the agency",
    description: "For those who follow me, before it is official.",
    tags: ["work"],
    daysAgo: 3.2,
    private: true,
    body: `You will hear it on the first of the month anyway, so: I gave notice. After six years and one plant.

From autumn I'll work three days a week for the pharmacy cooperative (the one from the dark mode story; yes, my grandmother considers herself responsible) and two days for whoever calls. I'm not brave, I have counted: there are seven months in the account, and Kwabena's envelopes are to blame for that.

Please don't say anything to Rui yet. He is planning a surprise, and I have seen the cake on the shared calendar.`,
  },
  {
    author: "ines.quadros",
    title: "Why I still write HTML mails by hand",
    description: "Tables in tables, in the year we live in.",
    tags: ["html", "css"],
    daysAgo: 1.6,
    draft: true,
    body: `Start with the parish newsletter: 312 readers, 40 of them on the same old desktop program, every one of them will telephone.

## What works everywhere

- \`table\` with \`role="presentation"\`
- widths in attributes
- one column!!

To measure: how many kB until the mail gets clipped? Somebody said 102, find the source or leave it out.

## What I gave up

Web fonts. Background pictures. My pride

To do: ask Malika if she wants one for the shop, would be a nice example with the button of the month`,
  },
];
