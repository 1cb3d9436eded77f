import type { DemoBlog } from "./demo-blog.ts";

/** Two private accounts: Sólveig Ásta Brandsdóttir on twins, Kwabena Frimpong-Adu on money. */
export const householdBlogs: DemoBlog[] = [
  {
    author: "solveig",
    title: "Questions asked between 19:40 and 20:10",
    description: "Written down in the dark, on the back of a ferry ticket.",
    tags: ["parenting", "twins"],
    daysAgo: 1.1,
    cover: { motif: "moons" },
    body: `Bedtime is 19:40. These were put to me after the lamp was off. Both children are four and three quarters and take turns, like barristers.

- Can a snail go backwards?
- If I eat an apple seed and you eat an apple seed, which of us will be the tree first?
- Who was the boss before Grandma?
- Is it still today in the kitchen?
- Does the dark come from the cupboard or from outside?
- Are you going to sit on the chair or on the *edge* of the chair?
- Why did you breathe like that?
- When I was in your tummy and Hekla was in your tummy, who had the window?
- Can fish get thirsty?
- If Katla falls asleep before me can she still hear that I won?
- What's the last number that has a name?
- Will the snail be all right?

I answered the first, the fifth and, after some thought, the fourth. It *was* still today in the kitchen. There were the plates.`,
  },
  {
    author: "solveig",
    title: "Twins, or a scheduling problem",
    description: "Two processes, one bathroom, no locks.",
    tags: ["parenting", "twins"],
    daysAgo: 23.9,
    cover: { motif: "kites" },
    body: `My brother is a programmer and explained deadlock to me at Christmas. Two processes, each holds what the other needs, both wait for ever. I said: yes, the boots.

Hekla has both left boots, Katla has both right ones. Neither will put hers down first. Nobody is crying; it's a matter of law. The bus is in nine minutes.

What has been tried:

1. **Fairness.** "You first today, you first tomorrow." Needs a memory of yesterday that all parties agree on. I have no such memory. They have two.
2. **A queue.** They queue, to be near each other, and then neither wants to be served.
3. **A lock.** The bathroom has a lock. We don't speak of the Tuesday with the locksmith.
4. **Two of everything.** Two red cups. One of them is *redder*.
5. **Interruption from outside.** The neighbour's dog comes along the fence. Everything is dropped, boots included. In the four seconds that follow I can dress two children.

I have spoken with the neighbour. The dog now goes out at 7:48.

My brother asked whether that isn't a race condition. It is. I'm winning it by about four seconds.`,
  },
  {
    author: "solveig",
    title: "Reading aloud in two languages",
    description: "One book, two bears.",
    tags: ["parenting", "languages", "icelandic"],
    daysAgo: 50.2,
    cover: { motif: "speech" },
    body: `Their father reads in English and I read in Icelandic, often the same book, because there are nine and the library boat is slow. So they know two bears. The English bear is polite and has a problem with honey. Mine is called Björn, which is simply "bear" and also the name of the man at the bank, and they think very highly of the man at the bank.

There are words they only have on one side. They have *gluggaveður*, window-weather: the kind that is lovely as long as you look at it from indoors. English has "cosy", which their father needs twice a page, and I have to go round by a whole sentence to get there.

Last night he had a cold, so I read his book, in my language, translating as I went. Katla stopped me. "That isn't what she says. She says it *shorter*."

I asked how she'd say it, then. She thought about it. "Jæja," she said, and she was quite right, and we turned the page.`,
  },
  {
    author: "solveig",
    title: "The sock with no partner",
    description: "A statistical note.",
    tags: ["parenting", "laundry"],
    daysAgo: 84.4,
    body: `Six pairs in, nine socks out. Gethin, who washes for twenty-one grown men, loses three in a season. I lose three in a *wash*.

I've stopped pairing. There's a basket by the door, and each person takes two. Yesterday Hekla went to kindergarten with one whale and one avocado, and a boy there cried because he wanted to have different ones too.

His mother has telephoned. I said it was Montessori.`,
  },
  {
    author: "solveig",
    title: "What I would tell the me of five years ago",
    description: "Unfinished, like most things here.",
    tags: ["parenting"],
    daysAgo: 0.8,
    draft: true,
    body: `Buy the second car seat *used*. Nobody was ever born in it.

You will sleep. It'll be a Wednesday, in the car park of the swimming pool, eleven minutes, and you'll remember it better than your honeymoon

(something about my mother coming on the first boat with the freezer bag. Not funny, keep it plain)

They are going to look alike for exactly three weeks`,
  },
  {
    author: "solveig",
    title: "The job in Akureyri",
    description: "Only for those who know me.",
    tags: ["work", "family"],
    daysAgo: 8.9,
    private: true,
    body: `They have asked me to run the music school up there. A real post with a desk. It would mean a garden, my mother two streets away, and snow until May.

It would also mean leaving the choir in the middle of the Bruckner, and Mina would never say a word about it, at length.

We've made a list with two columns. The girls have added to both. Under *stay* it says SNAIL. Under *go* it says SNAIL? with a drawing of snow.

I have until the end of the month. If you write to me about it, write something funny.`,
  },
  {
    author: "kwabena",
    title: "The envelope method, with buses",
    description: "I dispatch 140 buses. At home I dispatch one salary.",
    tags: ["finance", "budget"],
    daysAgo: 6.7,
    cover: { motif: "coins" },
    body: `A bus is late for one of two reasons: it left late, or it was given a timetable that cannot be driven. Money is the same. For years I thought that I left late. Then I looked at the timetable.

My monthly plan had twelve lines, and they came to 100 per cent of my pay. No driver would accept that. Where is the break? Where is the old lady with the trolley? On the road we call it *recovery time*: at the end of each line some minutes that belong to nobody, so that a bad trip does not spoil the next one.

## The depot

Payday is five in the morning: everything leaves at once, and it must leave in the right order.

| departs | line | of each 100 |
| --- | --- | ---: |
| day 1 | rent and light | 41 |
| day 1 | the roof at Kumasi | 9 |
| day 1 | later (a fund, dull) | 12 |
| day 2 | food, first half | 10 |
| day 15 | food, second half | 10 |
| any | clothes, shoes, school | 6 |
| any | church, gifts, funerals | 5 |
| last | **recovery time** | 7 |

They are real envelopes. Brown. My daughter says there are apps, and there are, and an app has never gone *thin* between my fingers on the nineteenth.

## Rules of the road

- Food leaves in two halves. With one departure a month, the last week was rice and philosophy.
- Funerals are not an emergency. They are a line with an unknown timetable. Give it an envelope.
- You may lend from one envelope to another, but you write it on the outside, with the date, and it looks at you.
- Nothing touches recovery time except a thing that makes you say "ei!" aloud.

What is left in it on the last evening of the month goes for fried fish with my wife. Some months we have had a great deal of fish.`,
  },
  {
    author: "kwabena",
    title: "My fridge is an investment",
    description: "18 years old, 412 kilowatt-hours. I did the sum at last.",
    tags: ["finance", "energy"],
    daysAgo: 57.1,
    body: `The old one used 412 kWh a year. I know because I put a meter on it, and then I did not sleep. A new one, the same size: 110. The difference at our price is 91 a year. The new one costs 480.

91 on 480 is 19 per cent a year, without risk and free of tax. Nobody at the bank has ever offered me that, and the bank does not keep fish.

I'd put it off for six years because 480 is a *large number*. 91 every year never once looked like a number at all.`,
  },
  {
    author: "kwabena",
    title: "Lending to family: the ledger I burned",
    description: "It had nineteen names.",
    tags: ["finance", "family"],
    daysAgo: 115.8,
    body: `I used to write it down. Who, how much, when he said he would. Nineteen names. It was a small green book, and at weddings I could feel it in my pocket.

My uncle Yaw was in it with the largest sum, for an engine. At my father's funeral he drove all night and dug with the young men. I sat there with my green book, doing arithmetic.

Since then: I give what I can lose, from an envelope that says *gone*. If it comes back, I am surprised. Three times I have been surprised. If the envelope is empty I say so and show it, and nobody has ever argued with an empty envelope.`,
  },
];
