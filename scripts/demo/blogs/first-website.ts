import type { DemoBlog } from "./demo-blog.ts";

/** Malika Tursunboyeva: a shop of nine square metres and its web page. */
export const firstWebsiteBlogs: DemoBlog[] = [
  {
    author: "malika",
    title: "I run a button shop and I made a web page",
    description: "Nine square metres, 2,140 kinds of button, one cat, and now an index.html.",
    tags: ["html", "shop", "beginners"],
    daysAgo: 0.5,
    cover: { motif: "buttons" },
    body: `My shop is in the second lane behind the bazaar in Samarkand. It has nine square metres. I sell buttons, thread, needles, zips. My cat is called Igna, which is "needle", because she goes through everything.

Every week somebody telephones to ask: are you open, where is the door, do you have the blue one. My nephew said: make a web page. I said: you make it. He is fifteen, so he said "mm". I made it.

## First evening

I wrote this, and it was already a page. I was angry that nobody told me before how little it is.

~~~html
<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Tugma, buttons and thread</title>
  <h1>Tugma</h1>
  <p>Buttons, thread, needles, zips. Open Tuesday to Sunday, 9 to 18.</p>
  <p>The green door after the copper shop. If the cat sits outside, we are open.</p>
</html>
~~~

*Tugma* is "button" in Uzbek. It is also the shop's name since my mother's time, because she did not want to pay the sign painter for a longer one.

## Second evening

I learned that it wants a language in \`lang\`. My page speaks three: Uzbek for the neighbours, Russian for the older customers, English for tourists who lost a button on the plane. I made three pages and a line of links on top. My nephew says there are programs for this. I copied the file two times. It took less long than his sentence.

## Third evening

The telephone number. I put it as text, and then I tried on my own phone and it did not call. It has to be like this:

~~~html
<a href="tel:+998000000000">Call the shop</a>
~~~

(This is not the real number. The real number is for people who need buttons.)

On Saturday a woman came from Tashkent with a coat under her arm. She said: "I looked for the cat first." It was on the page. It was raining and the cat was inside, so she had walked past two times.

I changed the sentence. It says now: *if the cat sits outside **or in the window**, we are open.* Then I put it on the server again. This was my first release, Chidinma tells me.`,
  },
  {
    author: "malika",
    title: "CSS is a shop window",
    description: "I know shop windows.",
    tags: ["css", "shop", "beginners"],
    daysAgo: 9.1,
    body: `I was afraid of CSS because the young people are afraid of it. But it is only a shop window.

You have goods (this is HTML). You have a window (this is the screen). People pass on foot, on a bicycle, in a car. For each one the window must say something, and you don't get a second window.

~~~css
body {
  max-width: 34rem;
  margin: 2rem auto;
  padding: 0 1rem;
  font: 1.2rem/1.5 Georgia, serif;
}
~~~

This is everything I have. My nephew wanted the buttons to fly in from the left. I asked him if goods fly in my window. He said "mm".`,
  },
  {
    author: "malika",
    title: "Seventeen customers and one bug",
    description: "My page said closed and I was sitting inside.",
    tags: ["javascript", "html", "shop"],
    daysAgo: 4.2,
    body: `I wanted the page to say "Open now" in green. So I learned JavaScript for one week, in the hour after closing. This was my script:

~~~js
const now = new Date();
const open = now.getDay() > 1 && now.getHours() >= 9 && now.getHours() < 18;
document.querySelector("#sign").textContent = open ? "Open now" : "Closed";
~~~

On Sunday I sat in the shop and nobody came. I thought: the weather. On the next Sunday again. Then Mrs Karimova came through the door without a coat, and said: "Your internet says you are closed but I saw the light."

Sunday is my best day. Seventeen customers on a normal Sunday, I keep it in the book.

So: in JavaScript the week begins with Sunday, and Sunday is **0**. Zero is not more than one. Monday, when I am really closed, is 1. I had counted like a person.

~~~js
const closedDay = 1; // Monday
const open = now.getDay() !== closedDay && now.getHours() >= 9 && now.getHours() < 18;
~~~

Then Inês wrote me that there is a second mistake. \`new Date()\` is the clock of the *visitor*. When somebody in Lisbon looks in the morning, it is already afternoon at my door. She showed me this:

~~~js
const inShop = new Intl.DateTimeFormat("en", {
  timeZone: "Asia/Samarkand",
  weekday: "short",
  hour: "numeric",
  hourCycle: "h23",
}).formatToParts(new Date());
~~~

I did not know that my city is in the computer by name. I showed it to everybody in the lane. The copper man wants to know if he is also in it.`,
  },
  {
    author: "malika",
    title: "What a button costs",
    description: "A customer said eight thousand so'm is too much for a button. So I wrote it down for her.",
    tags: ["shop", "finance"],
    daysAgo: 31.5,
    body: `It was a good button, mother of pearl, four holes, for a wedding shirt. I did not argue. I took a paper and wrote.

| For one button | so'm |
| --- | ---: |
| I pay for it | 3,100 |
| the road from the wholesaler | 250 |
| rent, one button's part | 1,900 |
| light, tax, thread for the card | 700 |
| the ones that nobody buys for ten years | 1,200 |
| me | 850 |
| **together** | **8,000** |

She looked for a long time at "the ones that nobody buys". I opened drawer 61 and showed her: amber plastic, moulded like a small lion. My mother bought four hundred in 1988. We have three hundred and ninety-one.

She took eight of the pearl, and one lion.`,
  },
  {
    author: "malika",
    title: "The man who returns one button a year",
    description: "Drawer 12, dark brown horn, 23 mm.",
    tags: ["shop"],
    daysAgo: 58.7,
    body: `He bought six in the first year I had the shop. In spring he came back with one and asked politely for his money, because the coat needs only five.

Next spring he came with one more. The coat, he said, is closed by a belt now.

This year he came with the third. I gave him the money and asked about the coat. He laughed and said there is no coat since long. He passes here once a year to visit his sister, and it is nice to have a reason to come in.

I have written in the book: *three left, don't sell the drawer.*`,
  },
  {
    author: "malika",
    title: "Thread colours have numbers",
    description: "Nobody can say a colour by telephone.",
    tags: ["shop", "colour"],
    daysAgo: 102.4,
    body: `"Blue, but a tired blue." "The red of my sister's gate." "Like tea with milk, my tea, not your tea."

I have 466 colours of thread and every one has a number, but no customer ever learned a number. So they bring things. In one week I matched: a piece of curtain, a tooth (a child's, for the smile of a doll), a photograph of a donkey, half an apricot.

The apricot was brown when she arrived. We did it from memory. It is 1068, if you need one.`,
  },
  {
    author: "malika",
    title: "Should I sell online?",
    description: "",
    tags: ["shop", "javascript"],
    daysAgo: 2.1,
    draft: true,
    body: `For:

- the woman from Tashkent would order
- winter is slow
- Chidinma says she would help with the server part ("for buttons", she says, I think she means it as payment)

Against:

- who makes the photographs? 2,140
- parcels cost more than the buttons in them
- nobody who buys in the internet stays for tea

How do they do it when the customer wants to see it next to the cloth??`,
  },
];
