import type { DemoBlog } from "./demo-blog.ts";

/** Lê Thị Ngọc Hạnh: seven languages, none of them finished. */
export const languageBlogs: DemoBlog[] = [
  {
    author: "ngoc.hanh",
    title: "Tones, for people who say they can't hear them",
    description: "You can. You do it every time you say “really?”",
    tags: ["languages", "vietnamese", "beginners"],
    daysAgo: 3.9,
    cover: { motif: "speech" },
    body: `Everyone tells me the same story at parties: "I tried Vietnamese once, but I'm tone deaf." Then I ask them to say *really* as if they don't believe me, and *really* as if they're bored. They do it perfectly. So you have at least two tones. I need four more from you.

Here is the famous one.

| | what the voice does | meaning |
| --- | --- | --- |
| ma | stays level | ghost |
| má | goes up | mother, also cheek |
| mà | falls, lazily | but |
| mả | dips and asks | tomb |
| mã | breaks in the middle | code, also horse |
| mạ | drops and shuts the door | rice seedling |

That's the north, where I'm from. In the south they merge two of them and are not sorry.

## How I teach it to friends

*Level* is the voice in which you tell someone your phone number.

*Up*: "me?" when the teacher points at you.

*Falling*: "oh well."

*Dips and asks*: a very sceptical "hm-mm?"

*Breaks*: go up, but swallow a small frog halfway. Yes, it feels as if you're making fun of somebody. All languages feel like that in the beginning.

*Drops and shuts*: like setting down a heavy bag.

Now, the thing nobody told me about *my own* language until I started to explain it: the tone isn't decoration on the word, it's part of it, like the difference between "bat" and "bet". You wouldn't say that somebody mispronounced bat. They said bet.

Gethin wrote me that he practised all six on the bus to Abercoed and that by the third stop he had two seats to himself. I have listened to his recording. His *rice seedling* is excellent. His *mother* is a tomb.

(I owe him: his *ll* took me nine days. I was a kettle, then a goose, then a tyre with a slow puncture. On the tenth day the neighbour's child came out on the balcony and said it back to me.)`,
  },
  {
    author: "ngoc.hanh",
    title: "A letter in bad Portuguese",
    description: "My first one, with the corrections left in.",
    tags: ["languages", "portuguese"],
    daysAgo: 20.5,
    cover: { motif: "letters" },
    body: `I have been learning for eleven weeks and wrote to Inês. She sent it back with red ink. I'm publishing it as it is because I think we should see more of each other's bad letters.

> Querida Inês,
>
> Ontem ~~eu ir~~ **fui** ao mercado e comprei ~~um laranja~~ **uma laranja**. ~~O~~ **A** laranja ~~foi~~ **era** muito boa. O homem ~~me perguntou~~ **perguntou-me** ~~onde~~ **de onde** sou. Eu disse: sou ~~uma~~ ~~vietnamita~~ **vietnamita**. Ele deu-me ~~um outro~~ **outra** laranja!
>
> ~~Estou constipada~~ … **?**
>
> Um ~~grande~~ abraço **muito grande**,
> Hạnh

About the question mark. I meant to say that my stomach was not moving because of all the oranges. *Constipada* means "having a cold". So she had written in the margin, "drink tea, poor you", and I wrote back that tea makes it better, yes, and prunes. It went on for three letters.

What she taught me with one circle: in Portugal the little word goes *behind* the verb, *deu-me*, "gave-me". It's hanging on to it by a hyphen like a child on a hand. I love that. I shall get it wrong for years.`,
  },
  {
    author: "ngoc.hanh",
    title: "Ten words a day is nine too many",
    description: "What happened when I learned one word a day for a year, and used it.",
    tags: ["languages"],
    daysAgo: 64.1,
    body: `The app wanted ten. After a month I had three hundred words, and I could say none of them to a person.

So: one. In the morning I choose a word, and I'm not allowed to go to bed before I've used it *on someone who needed it*. Not in an exercise. Somebody has to hand me the thing, or laugh, or be offended.

"Ladder" took me until half past ten at night. I went to a building site in my slippers.

"To regret" was on a Sunday. I called an old friend and we talked for two hours, and I said it in the first minute.

In a year that makes 365, less eleven days when I cheated. The app says I'm still a beginner. The man from the building site says hello.`,
  },
  {
    author: "ngoc.hanh",
    title: "Dictionaries I have slept on",
    description: "A short inventory.",
    tags: ["languages", "books"],
    daysAgo: 106.6,
    body: `**French–Vietnamese, 1952, my grandfather's.** Smells of camphor. Has eleven words for "clerk".

**Welsh, school edition.** From Gethin. It has his sister's homework in it, and a pressed flower at *llygad y dydd*, "eye of the day", which is the daisy. I don't know whether it was on purpose and I'm not going to ask her.

**Portuguese, pocket.** A pocket of which coat, I would like to know.

**Bulgarian, from Stoyan,** with the bird names underlined in pencil. Only the bird names. He sent it with a note: *you don't need the rest.*`,
  },
];
