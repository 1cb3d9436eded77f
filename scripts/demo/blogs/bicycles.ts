import type { DemoBlog } from "./demo-blog.ts";

/** Annelies Vroomkoning: a repair shop under a railway arch. */
export const bicycleBlogs: DemoBlog[] = [
  {
    author: "annelies",
    title: "The click",
    description: "How to find a noise that stops when the mechanic looks at it.",
    tags: ["bicycle", "repair"],
    daysAgo: 3.6,
    cover: { motif: "wheel" },
    body: `Once a day somebody comes in and says: it clicks. I ride it round the block and it doesn't click. The customer rides round the block, it clicks. Don't be ashamed. Bicycles do that.

You can find it yourself. You need ten minutes and somebody who is not in a hurry. The rule is simple: change *one* thing at a time.

## Ask it questions

1. **Pedal, sitting.** Does it click? Once per turn of the pedals, or faster?
2. **Stop pedalling, roll.** Still there? Then it's not the pedals, the cranks or the chain. It's a wheel, or something hanging on the bicycle. Continue at 5.
3. **Pedal, standing.** Gone now? It is the saddle or the seat post. In my shop that is four out of ten. People replace the whole bottom bracket first. Please don't.
4. **Pedal with the left foot only, then the right.** Clicks with one: take that pedal off, grease on the thread, screw it in again. *The left pedal has a left-hand thread.* I've had grown engineers cry on that bench.
5. **Roll and brake lightly.** If it changes, look at the brake. If it doesn't, hold two spokes at a time and squeeze. A dry crossing clicks. One drop of oil where they touch.
6. **Hold the front brake and push the bicycle forwards and back.** A knock you feel in your hand is the headset.

Faster than once per turn, with a rhythm of its own, only in some gears: a stiff chain link. Turn the pedals backwards slowly and watch the chain go through the derailleur. One link will hop like a frog.

## What it was last week

| customer was sure it was | it was |
| --- | --- |
| the bottom bracket | seat post, dry |
| the bottom bracket | zip of the saddle bag |
| "something with the electronics" | acorn in the mudguard |
| the bottom bracket | the bottom bracket |
| her knee | her knee |

I charge nothing for the acorn. I do keep the acorns.`,
  },
  {
    author: "annelies",
    title: "True a wheel with a zip tie",
    description: "No stand, no gauge. The bicycle stays upside down, you stay calm.",
    tags: ["bicycle", "repair"],
    daysAgo: 29.1,
    cover: { motif: "wheel" },
    body: `A wheel that rubs on one side is not broken. It is a conversation between 36 spokes in which one has become too quiet.

You need a spoke key that fits (bring a spoke, I sell you the right one for four euros), two zip ties and a piece of chalk.

1. Turn the bicycle upside down. Put a zip tie round each side of the fork and cut them so that the ends almost touch the rim.
2. Spin. Where the rim touches a tie, mark it with chalk.
3. Rim goes to the **left**? There, tighten the spokes that come from the **right** side of the hub. Rim to the right: the left ones.
4. A *quarter turn*. Not a half. Looking from the tyre down at the nipple, tighten is clockwise. From where you sit, with the key on, it will look the wrong way round. Everyone gets it wrong once. Turn, spin, look; if it got worse, turn back and smile.
5. Loosen the opposite neighbour by the same quarter, so the rim stays round while it gets straight.
6. After each round take the spokes in pairs and squeeze them hard. They go *ping*. That's the twist coming out, better now than on the road.
7. Stop at one millimetre. The one who wants zero breaks a spoke at half past five, and I close at half past five.

If a nipple won't turn, oil it, wait an hour, drink something. If the rim has a flat spot or a crack, stop and come by.

People ask if one really can do this without a stand. I learned it on a ferry, on deck, with the wheel between my knees. It went a bit towards Denmark but it held.`,
  },
  {
    author: "annelies",
    title: "The price list on my wall, explained",
    description: "Why looking is free and guessing is not.",
    tags: ["bicycle", "shop"],
    daysAgo: 70.2,
    body: `| | € |
| --- | ---: |
| look at it | 0 |
| puncture, you take the wheel out | 9 |
| puncture, I take the wheel out | 14 |
| puncture, back wheel with coaster brake and chain case | 24 |
| while you stand next to me and talk | + 5 |
| while you stand next to me and hold the lamp | − 5 |
| somebody already tried with a bread knife | ask |

The fourth line makes people laugh until they have done it once. The sixth line has made me two friends and a husband.

The bread knife was a butter knife, he says.`,
  },
  {
    author: "annelies",
    title: "A puncture in eight minutes",
    description: "Read it now, not at the side of the road.",
    tags: ["bicycle", "repair", "beginners"],
    daysAgo: 113.5,
    body: `- Leave the wheel in. Take one side of the tyre off and pull the tube out like a sausage.
- Pump it. Listen. No sound? Hold it near your lips, they feel more than ears hear.
- Mark the hole with a cross, not with a circle. The middle of a cross is a point.
- Sand. More than you think.
- Glue, thin. Now *wait*. Three minutes. Count the swans.
- Patch. Press with your thumb as if it owes you money.
- Before it goes back: feel the inside of the tyre all round with a cloth, not with a finger. The glass is still in there. It always is.`,
  },
  {
    author: "annelies",
    title: "De fiets van mevrouw Postma",
    description: "A black Gazelle-shaped thing from before my time.",
    tags: ["bicycle", "groningen"],
    daysAgo: 152.4,
    body: `Mrs Postma is ninety-one and her bicycle is older than I am. "Hij doet het nog," she says every spring. It still works. And it does: one gear, one brake, a bell like a tram.

This year she asked me to lower the saddle by two centimetres. Last year it was one. We don't discuss it. I write it on the card: 61, 60, 58. There are cards back to 1974, from the man who had the shop before me. The highest is 72.

She pays with exact money and a bag of pears. "Tot volgend jaar," she says, and I say it too, and then I oil the bell, which is the part she can't reach herself.`,
  },
];
