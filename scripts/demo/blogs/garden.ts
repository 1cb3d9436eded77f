import type { DemoBlog } from "./demo-blog.ts";

/** Ciarán Ó Dubhlainn: plot 14b. */
export const gardenBlogs: DemoBlog[] = [
  {
    author: "ciaran",
    title: "Plot 14b, a history of optimism",
    description: "Ten metres by six, one shed, four years, and what the previous man buried.",
    tags: ["allotment", "gardening"],
    daysAgo: 1.3,
    cover: { motif: "beds" },
    body: `I got the plot because a man called Fintan died, which is how you get a plot. I was number 31 on the list for six years. You don't wish anyone ill, but you do find yourself asking after people's chests.

The secretary, a Mrs Tuohy, walked me down. She has a clipboard and has never, to my knowledge, looked at it. "That's yours," she said, "from the pallet to the bath." And went.

## Year one

I had read eleven books. I drew a plan to scale with a four-year rotation, coloured in. Then I put the fork in and it went *tink*.

Fintan, God rest him, had not believed in the dump. In the first month I took out of 14b: a bicycle frame, forty feet of hose, the door of a Ford Cortina, about a hundredweight of carpet, and a biscuit tin containing another, smaller, biscuit tin. I grew nothing that year but I could have opened a shop.

## Year two

Potatoes. You can't go wrong with potatoes, said every person who then leaned on the fence and explained how I'd gone wrong with them. Blight came on a Thursday. I'd been told I would know it by the smell, and I said what smell, and then I knew it by the smell.

Beans, though. I want it recorded. I put up nine canes and I had beans like a man in a fairy tale. I left bags of them on doorsteps at night. By September people were drawing their curtains.

## Year three

I got clever. I got netting and a water butt and a thing that plays the noise of a hawk. The pigeons sat on it. A woman on 15 who grows nothing but sweet pea and has an opinion of the rest of us asked me could I turn my hawk down.

That was the year of the one melon. It was the size of a child's fist and it tasted of a cold radiator, and I carried it round to everybody in a tea towel.

## Year four, so far

I've stopped drawing the plan. I put things where last year's things were happy and I go down in the evening and stand. That's most of it, the standing. You'd be surprised how much needs to be stood at.

And on Sunday, under the place where I'd always left the compost, the fork went *tink* again, and it was a bottle of stout. Full. Corked and waxed, wrapped in a sheet of newspaper from the week Fintan took the plot. On the paper he'd written in pencil: *you got this far.*

I haven't opened it. I'm told it will be revolting. I've put it in the smaller biscuit tin, and I have bought another, and a pencil.`,
  },
  {
    author: "ciaran",
    title: "Slugs: a correspondence",
    description: "Letters found under a plank.",
    tags: ["allotment", "gardening", "slugs"],
    daysAgo: 15.4,
    cover: { motif: "leaves" },
    body: `*To the tenants, under the plank by the lettuce*

Dear Sirs,

It has come to my attention that on the night of the ninth you ate eleven lettuces. I had twelve. I would be obliged to know your intentions regarding the other.

Yours etc., 14b

---

*To 14b*

Dear Sir,

We thank you for yours, which was a little dry. We had understood the lettuces to be set out at regular intervals, at our height, in the damp, with a plank. In our community that is called a restaurant.

The twelfth was bitter.

---

Dear Sirs,

I have now placed around the bed: eggshells, coffee grounds, a copper band at nineteen euros, and a saucer of beer.

---

Dear Sir,

The shells we found bracing. The coffee kept several of us up. We've walked along your copper in both directions and would call it *decorative*.

Our cousin went into the beer. It's how he would have wanted it. The service was well attended, and afterwards we had the hostas.

---

Dear Sirs,

There is a hedgehog on 12. I have spoken to him.

---

Dear Sir,

Let us not be hasty. We hear that the lady on 15 has sweet pea.`,
  },
  {
    author: "ciaran",
    title: "Compost is a slow oven",
    description: "Sixty-one degrees, in the rain, from grass and the Irish Times.",
    tags: ["allotment", "gardening", "compost"],
    daysAgo: 42.8,
    cover: { motif: "layers" },
    body: `I bought a thermometer on a long stick for the bread Zsófi has me making, and I used it on the loaf the once and on the heap every day since. Sixty-one degrees this morning. You could slow-cook a shoulder of lamb in there, and I'm told on plot 7 it's been done.

What I know:

- **Green and brown**, more brown than you'd think. Grass alone turns into a thing I'd call silage if I wanted to be kind. Tear up cardboard. Tear up your drawings of the four-year rotation.
- **Air.** Turn it. When I turn it the robin comes and the steam goes up, and I feel like a man in an oil painting.
- **Water** like a wrung-out cloth. If you squeeze a handful and it drips on your boot it's too wet. If it blows in your eye it's too dry.
- **Size.** A metre each way, or it won't take. A small heap is just a pile of things you've thrown out.

What goes in that they say shouldn't: citrus, a bit. Hair. My brother's love letters, at his request, 1994 to '96. They heated up beautifully.`,
  },
  {
    author: "ciaran",
    title: "The courgette problem",
    description: "A note to anyone sowing more than one.",
    tags: ["allotment", "food"],
    daysAgo: 68.6,
    body: `One plant. You'll read "two or three". Whoever wrote that had a marriage to end.

I went away for four days. *Four.* When I came back there was one the length of my arm with a look on it. I've had it as soup, as cake, as fritters. I have had it as a doorstop. The children on the next plot put a hat on it and he's called Declan.

Mrs Tuohy says a car left unlocked at the gate in August will have courgettes on the seat by evening. I laughed. Then I looked at what was on my seat, and I knew them. They were mine from Tuesday.`,
  },
  {
    author: "ciaran",
    title: "A robin owns my spade",
    description: "He lets me have it some mornings.",
    tags: ["birds", "allotment"],
    daysAgo: 26.2,
    body: `I dig, he watches from the handle of the fork. I leave the spade to get the fork, he moves to the spade. If I'm slow he sighs. I didn't know they could.

He takes the worm from as near as my boot. Not trust, Stoyan told me, *management*. In the old woods they followed the wild pigs for the same reason. So I'm down there of a Sunday doing the work of a pig for a thing that weighs as much as a letter.

Yesterday he brought the wife to look at me.`,
  },
  {
    author: "ciaran",
    title: "Winter, do nothing",
    description: "The hardest job on the list.",
    tags: ["allotment", "gardening"],
    daysAgo: 189.5,
    body: `The books say there's always something to do in the winter garden. There is not. Clean your tools, they say. I've one tool.

I go down anyway and sit in Fintan's shed on Fintan's chair. There is a small window and what's in it is mud, a leek, and the back of Mrs Tuohy going the long way round so as not to catch me idle.

The leek's grand.`,
  },
];
