import type { DemoBlog } from "./demo-blog.ts";

/** Two people who wait: Стоян Каменаров for birds, 本間ゆき for light. */
export const birdAndFilmBlogs: DemoBlog[] = [
  {
    author: "yuki.h",
    title: "Thirty-six frames",
    description: "One roll, one month, one rule: no second picture of the same thing.",
    tags: ["film", "photography"],
    daysAgo: 4.8,
    cover: { motif: "lens" },
    body: `In the drawer I found a roll that had expired nine years ago. I put it in the old camera and made a rule. One month. Thirty-six frames. Nothing twice.

On the first day I used four, because I was happy. Then I counted: at this speed the month has nine days.

**Frame 5.** The fishmonger's gloves on the line. I waited until the wind turned them so that they waved.

**Frame 9.** My father asleep. The shutter of this camera is loud. He said, without opening his eyes, "How much is one?" I said about ninety yen with developing. He said, "Then you should have combed me."

**Frame 13.** Nothing. I forgot the lens cap. I counted it, because a rule is a rule.

**Frame 17.** A school class crossing at the lights, all with yellow hats, and one with the hat on backwards. I lifted the camera and then I didn't press. I can still see it very well. I wonder if I would, with the picture.

## The last week

I had eleven left, and now it became strange. I walked past beautiful things. Beautiful things were suddenly ordinary: a sunset, no thank you. I wanted frame 30 to be something I would have walked past in the *other* direction.

It is a bucket. Blue, upside down, with a stone on it. I don't know what is under it. I went back the next day to look, and there was only the ring on the ground.

**Frame 36.** You are supposed to keep it for something. I kept it four days. Then my neighbour, who is eighty and had watched me go out every morning, asked if I would take her with her new bicycle. It was raining, the light was bad, f/2 and a thirtieth of a second. She moved.

It is the one that hangs on the wall.`,
  },
  {
    author: "yuki.h",
    title: "Developing in a bathroom with a cat",
    description: "Temperature, agitation, cat.",
    tags: ["film", "photography", "cats"],
    daysAgo: 22.7,
    body: `The window is closed with cardboard. The gap under the door is closed with a towel. The film must go onto the reel in total darkness. In total darkness something sits down on the reel.

1. Developer, 20 °C, nine and a half minutes. Turn the tank over four times each minute. The cat watches the tank. Turn it over. The cat's head turns over.
2. Stop bath. It smells of vinegar. The cat leaves with dignity.
3. Fixer, five minutes. The cat has returned, because the towel is gone from the door. Why is the towel gone.
4. Wash. Ten minutes running water. This is the cat's favourite part.
5. Hang the film up to dry, from the shower rail, with a clothes peg at the bottom. The peg swings.

I lost frames 22 to 27. They have a very fine pattern of diagonal lines, equally spaced. It's not bad. A gallery in the next town asked how I did it.`,
  },
  {
    author: "yuki.h",
    title: "雨の日 / Rainy day, ISO 400",
    description: "傘のこと。About umbrellas.",
    tags: ["film", "photography", "日本語"],
    daysAgo: 37.4,
    cover: { motif: "umbrellas" },
    body: `雨の日は影がない。だから色がよく見える。

On a rainy day there are no shadows. So you see the colours well.

From the footbridge I count umbrellas. Before eight they are black. At half past eight they become transparent, these are the students. At ten comes one red one, every time it rains, and goes into the bank.

傘の下で人は少しやさしい顔をしている。見られていないから。

Under an umbrella people have a kinder face. Nobody is looking, they think. I only photograph from above.`,
  },
  {
    author: "yuki.h",
    title: "The light meter lies",
    description: "It believes that the world is grey. You have to tell it about snow.",
    tags: ["film", "photography", "beginners"],
    daysAgo: 79.9,
    body: `A light meter has one belief: everything I see is medium grey. Point it at a black cat, it gives more light until the cat is grey. Point it at snow, it takes light away until the snow is grey too. It is not broken. It has never been outside.

So you answer it.

| you see | it says | you do |
| --- | --- | --- |
| snow, white wall, fog | 1/500 | 1/125 |
| face in open shade | 1/125 | 1/125 |
| grass | 1/125 | believe it |
| black cat on coal | 1/15 | 1/60 |
| face before a window | 1/500 | go nearer, measure the cheek, 1/60 |

I learned it with the palm of my hand. My palm is one step lighter than grey. I measure my hand in the light where the person stands, give one step more, and don't look at the needle again. People think I am checking whether it rains.`,
  },
  {
    author: "yuki.h",
    title: "Kingfisher, twenty-one misses",
    description: "Twenty-one pictures of a branch.",
    tags: ["birds", "film", "photography"],
    daysAgo: 8.5,
    cover: { motif: "branch" },
    body: `With a digital camera you would get it. I know. Forty a second, choose later.

I have a manual lens, a fixed branch and one thousandth of a second. He comes to the branch at about ten past seven. I hear him first: a thin whistle, like a bicycle brake far away. I press. There is a branch.

Twenty-one mornings, twenty-one branches. I put them next to each other on the light table. It goes from bare to full of leaves. On number eight there is a blue line at the edge, one millimetre, going out.

I'm not sad about it. I wouldn't have looked at one branch for so long, and number fifteen has a very good drop of water.`,
  },
  {
    author: "stoyan",
    title: "Where I saw it: I won't say",
    description: "Няма да кажа.",
    tags: ["birds", "nature"],
    daysAgo: 11.2,
    cover: { motif: "hills" },
    body: `Every week I get a message: beautiful bird, where? A man from the capital offered me money for it. A polite man with a lens like a stove pipe.

I tell you what happens. I said it once. 2014, a pair of black storks, a gorge, I wrote "the gorge behind the mill". One Saturday. On Sunday there were nine cars at the mill. People with folding chairs. They were quiet, I don't say they were not quiet. On Wednesday the nest was cold.

So this account is private, and also in here you will read: a river, a slope, a tree.

What I saw on Tuesday, on a slope: she came in with a fish across the beak, and he stood up, and they changed places without a word. Twenty-six years I am married, we don't do it so well.

Don't ask me where. I would like you to see it. Find your own river, sit down, bring bread. Three weeks. Then you will also not say.`,
  },
  {
    author: "stoyan",
    title: "A list for April",
    description: "First dates, twelve years, one slope.",
    tags: ["birds"],
    daysAgo: 138.2,
    body: `| | earliest | this year |
| --- | --- | --- |
| stork, on the chimney of the dairy | 19 March | 24 March |
| swallow | 28 March | 2 April |
| cuckoo, heard | 9 April | 9 April |
| cuckoo, seen | 2017 | no |
| nightingale | 14 April | 13 April, new |
| bee-eater | 28 April | 1 May |
| neighbour with a leaf blower | 3 April | 1 April |`,
  },
  {
    author: "stoyan",
    title: "Sorting is a solved problem, observers are not",
    description: "A Java program for bird lists, and the man who sees eagles everywhere.",
    tags: ["java", "birds"],
    daysAgo: 53.9,
    body: `I wrote a program for our society in Java. Thirty observers, one file each, it merges them and throws out the doubles. Two evenings.

~~~java
var order = Comparator.comparing(Sighting::day)
    .thenComparing(Sighting::species)
    .thenComparing(Sighting::observer);
~~~

Then the third evening. When are two sightings one bird? Same day, same species, two people one kilometre apart. One stork seen twice or two storks once? I can't compute this. The stork could.

Then the fourth evening. Observer 11 has in one morning: four eagles, one of them of a species that lives in Spain. Observer 11 is seventy-eight years old, founded the society and taught me everything. The program can give a weight to each observer. I wrote the field. \`double trust\`. I looked at it.

I removed the field. In the report his eagles have a small footnote: *seen by the founder.* All the others know what it means. He reads it also, every year, and he is very proud.`,
  },
];
