import type { DemoBlog } from "./demo-blog.ts";

/** نسرین باغستانی: an eight-inch mirror on a flat roof, and some Python. */
export const nightSkyBlogs: DemoBlog[] = [
  {
    author: "nasrin",
    title: "Saturn, with eleven neighbours and a ladder",
    description:
      "I meant to look for twenty minutes. Then Mrs Golestan from the second floor heard the ladder.",
    tags: ["astronomy", "saturn", "neighbours"],
    daysAgo: 0.7,
    cover: { motif: "planet" },
    body: `The way to our roof is a ladder through a hatch, and the ladder has one rung that sings. For three years I have stepped over that rung so as not to wake anybody. Last night I carried the eyepiece case in one hand and a thermos in the other and I forgot, and it sang, and a door opened on the second floor.

"Is it burglars?" asked Mrs Golestan, in her slippers, not at all afraid.

"It is Saturn," I said.

She considered this. Then she called her husband.

By half past ten there were eleven of us up there, among them a baby, a man in a wedding suit who had only come home to fetch his phone, and the brothers from the ground floor who repair refrigerators and who examined the telescope's mount for longer than they examined the sky. It is an eight-inch mirror in a plywood tube. My uncle made the box, the rocker runs on pieces of a broken record, and when I move it gently with two fingers it follows like an old horse.

## What you see, and what you don't

I have learned to say it before people look: *it will be small.* They have all seen the photographs, with the bands and the storms, and now they get a little ivory thing the size of a lentil, trembling slightly, as if it was lying on the bottom of a stream. But it has a ring. It really does. It hangs there in the dark with a ring around it like in a child's drawing, and the light that makes it left there more than an hour ago.

Everybody says the same thing, and they say it in a lower voice than they normally have. Mr Golestan said: "Someone has painted it on." He looked at the front of the tube to see where.

The baby looked into the eyepiece for quite some time and then at me, sternly.

Mrs Golestan did not say anything. She went back to the end of the queue. When it was her turn again she asked me what it is called in our own language, in the old one, and I told her: کیوان. *Keyvan.* "That was my brother's name," she said, "and nobody told him about the ring."

At midnight the man in the wedding suit remembered his wedding.

I've put a strip of carpet on the singing rung now. Then this morning I took it off again.`,
  },
  {
    author: "nasrin",
    title: "Drawing the Moon with twenty-five lines of Python",
    description: "No library, no internet: one date in January 2000 and a cosine.",
    tags: ["python", "astronomy", "moon"],
    daysAgo: 14.5,
    cover: { motif: "moons" },
    body: `Up on the roof I have no signal, and I wanted to know without a calendar what the Moon will look like tonight. It turns out that you can carry it in your head, nearly: you need one new moon that you trust, and the length of a month.

The one I trust was on 6 January 2000 at 18:14 Universal Time. The month, from new moon to new moon, has 29.530588853 days. That is a mean value; the true Moon runs up to fourteen hours ahead or behind, because her path is not a circle and the Sun keeps tugging at her sleeve. For choosing a coat it is enough.

~~~python
from datetime import datetime, timezone
from math import cos, pi, sqrt

MONTH = 29.530588853
NEW_MOON = datetime(2000, 1, 6, 18, 14, tzinfo=timezone.utc)


def phase(when):
    """0 is new, 0.5 is full, and it never reaches 1."""
    days = (when - NEW_MOON).total_seconds() / 86400
    return days % MONTH / MONTH


def draw(p, radius=8):
    shadow = cos(2 * pi * p)
    for y in range(-radius, radius + 1):
        width = sqrt(radius * radius - y * y)
        line = ""
        for x in range(-2 * radius, 2 * radius + 1):
            x = x / 2
            lit = x > shadow * width if p < 0.5 else x < -shadow * width
            line += " " if abs(x) > width else "#" if lit else "."
        print(line)


now = phase(datetime.now(timezone.utc))
draw(now)
print(f"{now * MONTH:.1f} days old, {(1 - cos(2 * pi * now)) / 2:.0%} lit")
~~~

The only line with an idea in it is the one with \`lit\`. The edge between day and night on the Moon is half a circle seen at an angle, and a circle seen at an angle is an ellipse. So on each row the edge stands at the same *fraction* of the half-width, and that fraction is the cosine. At new moon it is one and nothing is lit; at half moon zero, a straight line; at full moon minus one, everything.

If you live south of the equator, please exchange the two comparisons, or stand on your head. Meenakshi's class in Madurai did both.`,
  },
  {
    author: "nasrin",
    title: "Averted vision",
    description: "To see a faint thing, look beside it.",
    tags: ["astronomy", "beginners"],
    daysAgo: 46.9,
    cover: { motif: "starchart" },
    body: `The middle of your eye is made for reading. It wants light. Around it lies a wide ring that cannot read a single letter but notices a moth in the dark.

So when you look for a galaxy, find the place, and then let your gaze slide a little to the side, as one does in the bus when one doesn't want to be caught looking. There it comes: a grey breath. Look straight at it to make sure, and it has gone.

My mother tells me that this is also how you find out whether a guest is still hungry.`,
  },
  {
    author: "nasrin",
    title: "A notebook for stars that change",
    description: "Five of them need no telescope at all, only that you look again on Thursday.",
    tags: ["astronomy", "python"],
    daysAgo: 88.0,
    cover: { motif: "starchart" },
    body: `People think the sky is finished. They look up once, find it beautiful and go in. But some of the stars are up to something, and to catch them you need no instrument, only a pencil and a certain stubbornness.

| star | brightest | faintest | how long it takes |
| --- | ---: | ---: | --- |
| Algol | 2.1 | 3.4 | 2 days 21 hours |
| Delta Cephei | 3.5 | 4.4 | 5 days 9 hours |
| Beta Lyrae | 3.3 | 4.4 | almost 13 days |
| Mira | about 3 | about 9 | eleven months |
| Betelgeuse | 0.0 | 1.6 | as it pleases |

(A small number is a bright star. I'm sorry, it is two thousand years old, we can't change it now.)

You compare. Is Algol brighter than this neighbour, fainter than that one? A third of the way? Write it down with the time. *Don't look at what you wrote the last time,* because your eye would like to be right.

## Folding a star

After some months you have sixty dots without any order. And now comes what I love. You take each time, divide by the period and keep only the remainder, so that all the nights lie on top of each other like folded linen:

~~~python
PERIOD = 2.867324  # Algol, in days

for night, magnitude in sorted(notes, key=lambda n: n[0] % PERIOD):
    print(f"{night % PERIOD:5.2f}", " " * round((3.6 - magnitude) * 20) + "*")
~~~

And there it is. Flat, flat, flat, then the dip, then flat. Your own untidy dots, from the roof, from the bus stop, one from the hospital car park the night my nephew was born, and together they have drawn one star passing before another, ninety light years away.

The one from the car park lies a bit high. I was not calm.`,
  },
  {
    author: "nasrin",
    title: "How to be cold",
    description: "For those who stand still at night on purpose.",
    tags: ["astronomy", "winter"],
    daysAgo: 171.3,
    body: `- Cold comes from below. Stand on a piece of carpet. I have a retired bath mat.
- Two thin pairs of gloves. The outer pair has no fingers, so that you can turn a screw and then be sorry.
- Don't breathe on the eyepiece. When you have breathed on it, don't wipe. Put it under your arm like a hen.
- Tea, not coffee. Coffee makes you think you are warm.
- A hat. I have had this argument with my brother. He is bald and he is wrong.
- Go in while you still enjoy it. The Orion nebula will be there tomorrow, it is patient, it is twenty-four light years wide.

شب‌به‌خیر, good night.`,
  },
];
