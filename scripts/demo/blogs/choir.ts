import type { DemoBlog } from "./demo-blog.ts";

/** Wilhelmina von Hohenstetten-Brackwitz: an alto with a great deal of name. */
export const choirBlogs: DemoBlog[] = [
  {
    author: "mina",
    title: "My name does not fit on the programme",
    description:
      "It has been shortened by printers, priests and a customs officer. Nobody has yet succeeded.",
    tags: ["choir", "names", "html"],
    daysAgo: 2.9,
    cover: { motif: "staves" },
    body: `I was christened Wilhelmina Theodora Maximiliane, after three aunts who were not on speaking terms, and to this the family adds von Hohenstetten-Brackwitz, because once there was a Hohenstetten with a castle and a Brackwitz with money. The castle burned down in 1911 and the money went in 1923. I have kept the hyphen. I teach swimming.

In the spring concert I had four bars of solo. *Four bars*, I want you to hold on to that number, in a programme of ninety minutes. The programme lists the soloists. The programme is a sheet of A4 folded twice, so that a column is as wide as a bus ticket, and it is made by our second tenor Gerd, who owns the software.

Draft one: the name ran out of the column, through the tenor soloist, and into the advertisement of the undertaker.

Draft two: Gerd reduced the font until it fitted. I looked like the small print of a loan.

Draft three said *W. T. M. v. H.-B.*, which is a tax form.

Draft four was a mistake, but a beautiful one. The machine had hyphenated me by itself, and I stood there in five lines, left-aligned, like a poem:

> Wilhelmina Theo-
> dora Maximi-
> liane von Hohen-
> stetten-Brack-
> witz, alto

I asked him to keep it. He said that it pushed the Bruckner onto the next page. I said that Bruckner would have understood.

## The website of the association

For the members' list I had to fill in a form. *Name (max. 30).* I asked the young man who had made it why thirty, and he said because nobody is longer. I was standing in front of him.

Inês, from this very site, was so kind as to write to him: take the \`maxlength\` away, let the column be \`text\`, put \`overflow-wrap: anywhere\` on the list, and test it with me. He tests it with me now. I'm told that in the test database there are four hundred of me, and that everything holds.

On the evening of the concert the programme said **Mina, alto**. It was my own suggestion in the end. I sang the four bars. In bar three I was so pleased with how short I was that I came in early.`,
  },
  {
    author: "mina",
    title: "Altos never get the tune",
    description: "A complaint, with musical examples, mostly the note A.",
    tags: ["choir", "singing"],
    daysAgo: 24.6,
    body: `Please sing your favourite carol. There: you have sung the soprano. Everybody does. If the sopranos fell ill all at once, the audience would hum along and not notice until the interval.

Now let me sing you mine. A. A. A. A, A, B, A. A.

That was the alto. That was the *whole first verse*. In the second verse there is a G, and we talk about it for weeks.

I once asked our conductor what we are for. He is a patient man with a bad back. He let the sopranos, tenors and basses sing eight bars, and it was very nice: a top, a bottom, something in between that wants to be the top. Then he said: now with. We came in on our A. And it was as if somebody had put the lamp on in a room in which one had been sitting for some time without noticing that it had grown dark.

So, fine.

But I would still like a tune. Just one. It need not be long, I have a train at ten.`,
  },
  {
    author: "mina",
    title: "We sang in a car park",
    description: "Level minus two, for the echo.",
    tags: ["choir", "singing"],
    daysAgo: 55.3,
    cover: { motif: "arches" },
    body: `The hall was flooded (Gerd: "moist"), so twenty-six of us went down to level minus two of the car park behind the savings bank, where it is dry and where one has, as our bass Mr Abiodun discovered while looking for his Opel, a reverberation of *six seconds*.

You cannot sing anything fast in there. By the time you are at "et" the "Gloria" is still going round behind the pillars. So we sang one chord. We put it into the room, stopped, and listened to it walk about without us.

A man came with his shopping and stood with the key in his hand. He waited until it was quite gone. Then he unlocked his car, and the car went *beep*, in tune, a clean fifth above the basses, and I thought Mr Abiodun would weep.`,
  },
  {
    author: "mina",
    title: "Tuning to a radiator",
    description: "The rehearsal room has a resident B flat.",
    tags: ["choir", "singing"],
    daysAgo: 99.6,
    body: `Our radiator gives a B flat from October to April, a little under, day and night. One may not turn it off, since the valve belongs to the parish and the key to the valve to the sister of the late sexton.

If a piece is in B flat major we are the best choir in the region. In E flat we get by. In A major, a half-tone beside the radiator, the back row begins to slide in the second line, one after the other like people on a sofa, and by the Amen we are all sitting with the radiator.

The composer of our anniversary piece asked which key would suit us. We answered, all at once, and very nearly in tune.`,
  },
  {
    author: "mina",
    title: "Notes for Thursday, not for the tenors",
    description: "Section matters. Followers only, please do not print.",
    tags: ["choir"],
    daysAgo: 6.3,
    private: true,
    body: `1. Gerd turns sixty. We sing him the Schubert, in the version where the altos have the tune. (There is none. Chidinma has arranged one. It is *ours*, from bar 9 on, and I have already wept in the tram.)
2. Nobody says anything to Gerd. Gerd reads everything I write in public, which is why this isn't.
3. The cake comes from Zsófi and has the form of a bass clef, since she says a treble clef would break in the van.
4. Bring the grey folders. The *grey* ones, Irmgard.`,
  },
];
