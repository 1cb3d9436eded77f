import type { DemoBlog } from "./demo-blog.ts";

/** Zsófia Kárpáthegyi: bread, in grams. */
export const bakeryBlogs: DemoBlog[] = [
  {
    author: "zsofi",
    title: "Four in the morning, 78 per cent water",
    description: "What happens in my bakery between the alarm and the first customer.",
    tags: ["baking", "bread", "sourdough"],
    daysAgo: 2.4,
    cover: { motif: "loaves" },
    body: `People say: how romantic, a baker. I get up at 2:40. Nothing is romantic at 2:40.

**3:05** Light on. Oven on. It needs an hour and fifty minutes to reach 250 and it will not be argued with. I look at the starter. If it is domed I say good morning. If it has sunk I say something else.

**3:20** Yesterday's dough comes out of the cold room. It has been there for fourteen hours at 5 degrees. It looks like nothing. You press it, the hole comes back slowly, halfway. That is the whole science. If it springs back at once, wait. If it stays, you are late, make focaccia.

**3:30** Shaping. 64 loaves. My hands know it. I think about money.

**4:10** Mixing for tomorrow.

| | grams | % |
| --- | ---: | ---: |
| wheat flour, strong | 27,000 | 90 |
| rye, whole | 3,000 | 10 |
| water | 23,400 | 78 |
| starter, young | 6,000 | 20 |
| salt | 630 | 2.1 |

Flour is always 100 per cent. All the rest is counted against it. If you understand this you can throw away your recipe books. If somebody gives you a recipe in cups, give it back.

78 is a lot of water. The dough is like a jellyfish that has opinions. I don't knead it. I fold it, four times, half an hour between. Wet hands. In between I sweep.

**4:55** First load. Twelve loaves, one cut each, deep, at an angle, as if opening a letter. Steam. Door. Now you may not look for twenty minutes. Apprentices always look.

**5:20** Door open a little, steam out. Now they get colour. In this town they want it pale. In my shop they get it dark. "Is it burnt?" It is not burnt, it is baked. Taste it.

**5:45** It crackles. When a good loaf comes out of the oven and meets cold air, the crust sings for about three minutes. Mina came once at a quarter to six to hear it. She said it was in no key. Then she cried a little and bought four.

**6:00** I turn the sign.`,
  },
  {
    author: "zsofi",
    title: "Your starter does not have a name",
    description: "It is flour and water. Feed it.",
    tags: ["baking", "sourdough", "beginners"],
    daysAgo: 17.6,
    cover: { motif: "bottles" },
    body: `I am asked what mine is called. It is called starter. In Hungarian *kovász*. It is on the second shelf.

- Once a day: 20 g of the old, 50 g flour, 50 g water. Warm place.
- Going away? Into the fridge, up to three weeks. It sulks. Feed it twice.
- Grey water on top: hungry. Pour it off, feed it.
- Pink or orange: dead. Throw it away, wash the jar, ask a neighbour.
- Doubles in five hours: ready. Not before, whatever the book says.

You don't need one from San Francisco, a hundred years old. After two weeks in your kitchen, it is from your kitchen.

(Chidinma's is called Gary. I have spoken to her about it.)`,
  },
  {
    author: "zsofi",
    title: "Pogácsa, my aunt's, corrected",
    description: "Small salty Hungarian things with layers. You will eat nine.",
    tags: ["baking", "hungarian", "recipe"],
    daysAgo: 34.9,
    body: `My aunt's recipe says "flour, as much as it takes up" and "until it is good". I stood next to her with a scale for one afternoon and she did not speak to me for a week. Here it is.

## For about 60

- 500 g flour
- 250 g butter, cold
- 200 g sour cream, fat
- 20 g fresh yeast in 50 g warm milk
- 1 whole egg, 1 more for the top
- 14 g salt. Yes, 14
- 150 g hard cheese, grated

## Do

1. Butter into flour, fast, fingertips. Everything else but the cheese. Stop when it holds together.
2. Cold, one hour.
3. Roll out, 1 cm. Half of the cheese on it. Fold in three, like a business letter. Turn. Roll, fold. Cold, 30 minutes.
4. Again two folds. *Don't skip the waiting.* Without the cold there are no layers, only a biscuit.
5. Roll out to 2 cm. Cut a lattice in the top with a knife, not deep. Cut rounds of 4 cm, straight down, **don't twist**. Who twists glues the layers shut.
6. Egg on top, not on the sides. The rest of the cheese.
7. 40 minutes in a warm room, then 200 °C, 18 to 20 minutes.

They fall over a bit in the oven. That's right, like my uncles.

*Corrected* is because she uses margarine. Bocsánat, Ica néni.`,
  },
  {
    author: "zsofi",
    title: "Rye for people who gave up on rye",
    description: "You do not knead it, you do not shape it, you put it into a tin like cement.",
    tags: ["baking", "bread", "rye", "recipe"],
    daysAgo: 62.3,
    cover: { motif: "loaves" },
    body: `Wheat has gluten and can be taught. Rye can't. You tried to treat it like wheat. It stuck to the table, the ceiling and the dog. Don't touch it. Use a spoon.

| | grams |
| --- | ---: |
| rye flour, whole, for the sour | 250 |
| water, warm, for the sour | 250 |
| starter | 25 |
| next day: rye flour | 250 |
| next day: water, 45 °C | 200 |
| salt | 10 |
| caraway, if you are on my side | 4 |

Evening: first three, stir, cover, leave in a warm place until morning. Smells of apples.

Morning: the rest. Stir two minutes. Spoon it into a greased tin, smooth it with a wet hand, flour on top. When the flour shows cracks like a dry lake, about an hour, it goes in. 240 °C for fifteen minutes, then 190 for fifty.

Now the hard part. **Don't cut it today.** Rye that is cut warm is glue. Wrap it in a cloth. Tomorrow it is bread, the day after it is good bread.

Ciarán cut it warm. He sent me a picture of the knife. It was standing.`,
  },
  {
    author: "zsofi",
    title: "The oven's left side",
    description: "Nine degrees. I measured.",
    tags: ["baking", "bread"],
    daysAgo: 90.1,
    body: `The left back corner of my oven is nine degrees hotter than the rest. The man from the company says it is within tolerance. He has not met old Mr Halmos, who comes at 6:20 and says: "The one from the left back."

I have four such customers now. I could have it repaired. Then I'd have to tell them.`,
  },
  {
    author: "zsofi",
    title: "What I do with the old bread",
    description: "Nothing is thrown away except advice.",
    tags: ["baking", "bread", "food"],
    daysAgo: 126.7,
    body: `One day old: half price, gone by nine.

Two days: toast. Sliced, oil, salt, oven. In a paper bag it costs more than when it was fresh. I didn't make the world.

Three days: soaked, pressed, into the new dough, up to 8 per cent. Keeps it moist. Nobody notices, everybody says it's better this week.

Four days: dumplings.

Five: crumbs. Six: the hens of Mrs Bodnár, who pays in eggs, which go into the pogácsa.`,
  },
  {
    author: "zsofi",
    title: "I have made an offer for the shop next door",
    description: "For followers. Do not congratulate me yet.",
    tags: ["shop", "finance"],
    daysAgo: 5.9,
    private: true,
    body: `The shoe repair is closing. 31 square metres, one wall from my cold room. The owner wants a sum. I said another sum. He is thinking, and I'm not sleeping, which I didn't do before either.

Kwabena has looked at the numbers. He says it works at 22 loaves more per day, and not before spring. He used the word "envelope" eleven times.

If it goes well: tables. Four. And no, no music.`,
  },
];
