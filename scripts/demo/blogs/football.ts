import type { DemoBlog } from "./demo-blog.ts";

/** Gethin Pryce-Rowlands: kit man of Llanfedwen Athletic, eleventh tier. */
export const footballBlogs: DemoBlog[] = [
  {
    author: "gethin",
    title: "Match report: Llanfedwen 1, Weather 4",
    description: "Attendance 63, of whom one was a sheep and two were lost.",
    tags: ["football", "wales"],
    daysAgo: 0.2,
    cover: { motif: "pitch" },
    body: `The referee inspected the pitch at noon and said it was playable. I'd like to know what he was comparing it with. The north corner has been a pond since Wednesday, and there was a duck on it, and the duck had the look of an owner.

**First half.** We kicked off into the wind. I say kicked off. Dai touched it back to Emrys, Emrys hit it long, and it came back over his head into the net behind him. Fourteen seconds. Their keeper had not yet put his gloves on. He gave us a little wave.

Pontarddu then had twenty minutes of what you'd call football. We had twenty minutes of what you'd call Emrys. Two-nil from a corner that nobody took: it was rolled to the flag, the lad went to tie his lace, and the wind had it in off Huw's ear. It stands. I looked it up on the way home, and it doesn't stand, you have to kick it, but the referee had his hood up.

**Half time.** Tea. Mrs Pugh's urn went at 3:17, just as the players came in, with a bang that turned the away dugout around. We drank it cold. Somebody said character building. It was me and I regret it.

**Second half.** With the wind now. I have seen grown men believe. Third minute, Dai crosses from the left, and it's a terrible cross, it's behind everyone, it's going out for a throw on the *far* side, and then this gust takes it by the collar and walks it into the top corner. Bedlam. My wife heard it at the Spar.

Two-one, and for half an hour we were the better side. I'll say that to anyone. We hit the bar. We hit the duck (unhurt, furious). Then they broke through the pond, where no defender of ours will go because of the deposit on the boots, and it was three, and four.

**Man of the match:** the linesman. My son. He is fourteen, he stood in that for ninety minutes with a flag in each hand so as not to blow away, and he gave offside against his own uncle. Correctly.

**Kit:** forty-one socks out, thirty-eight back. If you find a blue one in the Dulas, it's ours, it's a size six, and it has been through enough.`,
  },
  {
    author: "gethin",
    title: "How to wash forty-one socks",
    description: "Twenty-one players, one of them superstitious.",
    tags: ["football", "laundry"],
    daysAgo: 13.2,
    cover: { motif: "shirts" },
    body: `People think the kit man's enemy is mud. Mud is a friend. Mud is honest, it dries, you take it outside and hit it against the wall of the chapel. The enemy is *grass*, and deep heat rub, and whatever Huw keeps in his shorts pocket. (Toffees. It's always toffees.)

Here's the method, after nine seasons.

1. **Never hot.** The badge is stuck on by a man in Swansea with a household iron. At sixty degrees the dragon lets go of everything but its tongue.
2. **Inside out.** I've asked them. I've put up a notice in two languages. I've bought a basket with a picture of a sock inside out. I turn eighty-three pieces of cloth every Sunday and I talk while I do it.
3. **Cold soak with washing soda**, one hour, in the old bath behind the clubhouse. Check the bath for the cat first. Check it again.
4. **Socks together, shirts together.** You may say that's obvious. Then you've not seen the pink season.
5. **Line, not dryer.** Twenty-one shirts across the valley on a Sunday, numbers two to twenty-two, all waving. Old Mr Bevan up the hill told me he reads the team off it for next week. I've started pegging them in formation, for him.

Why forty-one? Gwyn, the keeper's understudy, only ever wears the one sock. Left. He kept a clean sheet that way against Abercoed in 2019 and won't hear about it.

He's played four times since. I wash it every week regardless.`,
  },
  {
    author: "gethin",
    title: "The away end is a hedge",
    description: "A guide for visiting supporters.",
    tags: ["football", "wales"],
    daysAgo: 41.7,
    body: `Welcome to Llanfedwen. The home end is the wall. The away end is the hedge. There is a gap in the hedge which you'll think is the entrance. It's the badger's.

Tickets are three pounds, or two pounds and a raffle prize, or a story Mrs Pugh hasn't heard. The gents is a door. What's behind the door varies.

If the ball goes over the lane, shout "lawr!" and someone's aunt will stop the traffic. If the ball goes in the river we've another ball. If that one goes in the river, it's a draw. It isn't written down but it's been upheld.`,
  },
  {
    author: "gethin",
    title: "My son, the linesman",
    description: "He could have been a goalkeeper, I had the gloves already.",
    tags: ["football", "parenting"],
    daysAgo: 67.0,
    body: `At nine I bought him gloves. At ten, boots. He was polite about it. At eleven he asked for the laws of the game, the actual book, and read it at the table, and looked up and said, "Did you know the corner flag can't be less than a metre and a half?" and I knew I'd lost him to the other side.

He did the course at thirteen. First match, under-twelves, a man in a camel coat followed him down the line for the whole second half telling him what his eyes were for. I know what I wanted to do. What I did was stand by the tea hut and hold the urn with both hands.

After, in the van, I said the man was a disgrace. He said: "He was level with play all the way, Dad. He's quite fit."

Then he said the third goal *had* been off, and he'd missed it, and it was that he minded. He wrote it in his book. He's got a book. I have seen one page and it said: *Watch the back foot of the last man and not Dad.*`,
  },
  {
    author: "gethin",
    title: "Geirfa dydd Sadwrn: Welsh for the touchline",
    description: "Saturday vocabulary, for Hạnh, who asked.",
    tags: ["languages", "football", "welsh"],
    daysAgo: 18.3,
    body: `A lady from Hanoi is learning Welsh off me in the comments, so I'd best do it properly. Say every letter. The *ll* you do by putting your tongue for an L and being a kettle.

| Cymraeg | what it is | when you'll need it |
| --- | --- | --- |
| gôl | goal | seldom |
| camsefyll | offside | if my son is there, often |
| dyfarnwr | referee | with an adjective |
| llumanwr | linesman | proudly |
| cic o'r smotyn | penalty | never for us |
| cerdyn melyn | yellow card | Huw |
| mae hi'n bwrw glaw | it's raining | kick-off |
| mae hi'n bwrw hen wragedd a ffyn | it's raining old ladies and sticks | second half |
| paned? | cup of tea? | yes |
| da iawn | very good | when they've lost but tried |

Homework: say *Llanfedwen* to someone who isn't expecting it.`,
  },
];
