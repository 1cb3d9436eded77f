import type { DemoBlog } from "./demo-blog.ts";

/** Tobias Ekelund-Rask: night trains. Times, beds, breakfasts. */
export const nightTrainBlogs: DemoBlog[] = [
  {
    author: "tobias",
    title: "In defence of the upper berth",
    description: "Nobody books it. Good.",
    tags: ["nighttrains", "travel"],
    daysAgo: 2.2,
    cover: { motif: "berths" },
    body: `It is warmer. Nobody sits on it. The ladder keeps away people who want to talk. There is a shelf over the corridor door that only you can see, deep enough for a rucksack, a pair of boots and a loaf.

You can't sit up. That is correct. It is a bed.

You hear the rain before the others do.

The lamp by your head is the good one. The lower berths have a lamp that lights the lower berths.

At 05:40 the conductor knocks and says the name of your station to the compartment in general. The two below discuss whether he meant them. You have been dressed since 05:30, because you kept your trousers next to your head, on the shelf that only you can see.`,
  },
  {
    author: "tobias",
    title: "Six hours at a border station",
    description: "Arrived 01:12. Departed 07:20. Planned stop: 14 minutes.",
    tags: ["nighttrains", "travel"],
    daysAgo: 10.6,
    cover: { motif: "rails" },
    body: `**01:12** We stop. I notice because I wake up. One sleeps on a train that moves.

**01:26** We should go. We don't. A man walks along outside and hits every axle with a hammer. Ting. Ting. Ting. Tock.

**01:27** He goes back and hits that one again. Tock.

**01:50** Two more men and a torch. They look at the axle as farmers look at a cow.

**02:30** The corridor fills. A woman in a fur coat over pyjamas asks who is responsible. A boy of about ten says: "Physics."

**03:05** The conductor, Mr Lazić, comes through with the news. The carriage will be taken out. Which carriage? This one. Ours. He says it with the face of a doctor.

**03:20** Nobody wants to leave. It's strange. In the evening it was a carriage; now it is our carriage.

**03:40** We carry our things along the platform. Somebody has a cello. Somebody has a box with a hen in it and claims that it is a cake. The station's buffet is closed, but there is a light on, and Mr Lazić knocks in a certain rhythm.

**04:00** Bean soup. The woman who made it has her coat on over an apron. She does not ask who is responsible. There are nineteen of us and fourteen bowls, so some eat later, and I have seen worse systems.

**04:45** The boy explains the gauge of railways to the fur coat. He is mostly right.

**05:30** The cellist plays something short. I know nothing about music. It was in the same key as the station's transformer, he told me, so as not to fight with it.

**06:50** Another carriage. It has orange curtains and smells of 1979.

**07:20** We go. Six hours and eight minutes. I have the berth 36 again, same number, upper.

The hen is now travelling openly.`,
  },
  {
    author: "tobias",
    title: "Breakfast, ranked",
    description: "Fourteen night trains, one standard.",
    tags: ["nighttrains", "food", "travel"],
    daysAgo: 33.7,
    cover: { motif: "cup" },
    body: `Judged on: hot drink, bread, whether the tray can survive a set of points.

| train to | verdict | of 10 |
| --- | --- | ---: |
| Ljubljana | roll, jam, coffee with a skin | 6 |
| Hamburg | two rolls, both cold, honestly cold | 5 |
| Brașov | nothing, but the samovar never sleeps | 7 |
| Zürich | a card on which you tick six things, and six things come | 8 |
| Narvik | bought a cinnamon bun from a man on the platform at 06:10 | 9 |
| Split | croissant in plastic, best before my birthday | 2 |

The remaining eight served the Split croissant.

The ninth point for Narvik is for the man. The tenth would have been for two buns.`,
  },
  {
    author: "tobias",
    title: "Malmö to Berlin, middle bunk",
    description: "A report for those who fly.",
    tags: ["nighttrains", "travel"],
    daysAgo: 61.1,
    cover: { motif: "bridge" },
    body: `Six people, six bunks, one window. By the bridge we knew who snores, because he told us. A gentleman.

The middle bunk is the diplomatic one. The people below need you to fold it up before they can sit. The people above need your shoulder to climb. You are asked things. I was asked whether the light may go out, by someone who could reach the switch.

Slept 23:50 to 04:15 and 04:30 to 07:00. In between, Denmark or Germany. There was a level crossing with a red light and one car, and the driver and I looked at each other.

Berlin 08:52. Four minutes late. I had time for a coffee and a walk, and was at the meeting before the colleague who flew. He had a nicer shirt.`,
  },
  {
    author: "tobias",
    title: "What to pack",
    description: "Nine things.",
    tags: ["nighttrains", "travel"],
    daysAgo: 95.2,
    body: `Earplugs. Slippers. A mug with a lid. A scarf, which is also a curtain, a pillow and a way to mark your berth. Water. Bread. A square wedge for the door that rattles. A paper ticket as well. A book you have read before.

No alarm. There is always somebody with an alarm.`,
  },
  {
    author: "tobias",
    title: "Birds seen from a train window",
    description: "Method: sit on the left.",
    tags: ["birds", "nighttrains"],
    daysAgo: 19.8,
    cover: { motif: "wires" },
    body: `| hour | bird | certain? |
| --- | --- | --- |
| 05:10 | heron, in a ditch | yes |
| 05:11 | same heron, or the next one | no |
| 05:32 | crane, two, field of stubble | yes |
| 05:33 | plastic bag | yes, later |
| 05:58 | buzzard on a signal. Signal was green | yes |
| 06:20 | something brown | it was brown |

Stoyan writes that a train window is no observation post. He's right. It moves, it is dirty, nobody can check. I had a very good morning.`,
  },
  {
    author: "tobias",
    title: "A timetable in HTML",
    description: "My carrier publishes a picture of a table. I typed it.",
    tags: ["html", "nighttrains"],
    daysAgo: 108.9,
    body: `The timetable came as a photograph of a printout. You can't search it, and a blind friend of mine can't read it at all. So:

~~~html
<table>
  <caption>Night train 301, daily</caption>
  <thead>
    <tr><th scope="col">Station</th><th scope="col">Arrives</th><th scope="col">Departs</th></tr>
  </thead>
  <tbody>
    <tr><th scope="row">Malmö</th><td></td><td><time>22:58</time></td></tr>
    <tr><th scope="row">Padborg</th><td><time>02:31</time></td><td><time>02:45</time></td></tr>
    <tr><th scope="row">Berlin</th><td><time>08:48</time></td><td></td></tr>
  </tbody>
</table>
~~~

Caption, column headings, row headings. Eleven minutes of work. I sent it to the company. They answered with a photograph of a letter.`,
  },
];
