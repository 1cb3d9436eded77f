import type { DemoBlog } from "./demo-blog.ts";

/** Meenakshi Sundaravadivel: Java and Python in the mornings, the chess club in the afternoons. */
export const teachingBlogs: DemoBlog[] = [
  {
    author: "meenakshi",
    title: "Nineteen students, one NullPointerException",
    description: "I had planned a lesson about maps. The map planned something else.",
    tags: ["java", "teaching"],
    daysAgo: 7.2,
    cover: { motif: "tree" },
    body: `In the second term I let the class write a small register of marks. They are sixteen years old, they work in pairs (and one group of three, because Ilango does not like to be a pair), and at twenty past ten all nine groups had the same red text on the screen. In nineteen years of teaching I have never seen a class so united.

~~~java
Map<String, Integer> marks = new HashMap<>();
marks.put("Kavya", 81);

int mark = marks.get("Kaviya");
~~~

~~~text
Exception in thread "main" java.lang.NullPointerException: Cannot invoke
"java.lang.Integer.intValue()" because the return value of
"java.util.Map.get(Object)" is null
~~~

"Madam, I did not call intValue," said Kavya, who had also noticed that her name was spelt wrongly.

I could have explained. Instead I asked each group to put a finger on the line, read the message aloud like a sentence in the newspaper, and tell me who did what. *Somebody* called intValue. *Something* returned null. Who?

After a while it was Ilango who said: "It is the equals sign. On the left a small int is waiting, and from the right comes a box, and Java opens the box for us, and the box is not there."

There was a silence in which I was very happy.

## Then they repaired it, three ways

- Four groups: \`if (marks.containsKey(name))\`. Correct, and two look-ups where one is enough.
- Three groups: \`marks.getOrDefault(name, 0)\`. I asked whether a person who is absent should get zero. The discussion became political.
- Two groups: \`Integer mark = marks.get(name);\` and a check for null. I liked this one the most, because it admits what is going on.

Nobody used \`Optional\`. I had it on my slide, and I did not show the slide.

The message with the full explanation exists since Java 14. I learned the language when it only said *NullPointerException* and a line number, and the line had four dots in it. I told the class. They looked at me as one looks at somebody who walked to school barefoot.`,
  },
  {
    author: "meenakshi",
    title: "Records, finally",
    description: "Four lines of Java that used to be fifty-one.",
    tags: ["java"],
    daysAgo: 39.9,
    body: `The pairing program of our chess club had a class \`Pairing\`. Fifty-one lines: fields, constructor, getters, \`equals\`, \`hashCode\`, \`toString\`. In the \`equals\` somebody had forgotten the board, so two games of the same players were one game. The somebody signs this blog.

~~~java
record Pairing(String white, String black, int board) {
    Pairing {
        if (board < 1) throw new IllegalArgumentException("board " + board);
    }
}
~~~

My students find this normal. I printed the old class, all fifty-one lines, and hung it beside the door, under the picture of the slide rule.`,
  },
  {
    author: "meenakshi",
    title: "Virtual threads and the photocopier queue",
    description: "Ten thousand teachers may wait. There are still only two photocopiers.",
    tags: ["java", "concurrency", "teaching"],
    daysAgo: 92.7,
    body: `Before the examinations, every teacher of our school stands in the corridor, because there are two photocopiers. If we hired a person to stand for each of us, the corridor would be fuller and the copies would not come sooner. I use this picture for threads.

A platform thread is a person you hire to stand. A virtual thread is your name on a list. You can put ten thousand names on a list.

~~~java
try (var teachers = Executors.newVirtualThreadPerTaskExecutor()) {
    for (var paper : papers) {
        teachers.submit(() -> copy(paper));
    }
}
~~~

The first result of my class: the test service of the school network fell over, because ten thousand polite requests arrived in the same second. *The list was never the problem.* There are two copiers.

~~~java
private final Semaphore copiers = new Semaphore(2);

void copy(Paper paper) throws InterruptedException {
    copiers.acquire();
    try {
        send(paper);
    } finally {
        copiers.release();
    }
}
~~~

In former times the size of the thread pool was also the limit, quietly, two jobs in one number. Now you must say the limit aloud. I find that more honest, and so does the man who repairs the network.

He has asked me to tell the class his name is not "the service". It is Mr Durairaj.`,
  },
  {
    author: "meenakshi",
    title: "Teaching loops with idli",
    description: "A steamer, six plates, four hollows each, and a boy who wanted to know what plate zero is.",
    tags: ["python", "teaching", "food", "beginners"],
    daysAgo: 21.4,
    cover: { motif: "bowls" },
    body: `I once explained loops with "print Hello ten times", and thirty children learned that loops are a way to be annoyed. Since then I bring the idli steamer.

For those who have not met it: a tower of round plates, each with four hollows, on a rod. You pour batter in the hollows, put the tower in the pot, wait.

~~~python
plates = 6
hollows = 4

for plate in range(plates):
    for hollow in range(hollows):
        print("pour into plate", plate, "hollow", hollow)
~~~

We do it with the real steamer and water first. One child is the outer loop and holds the plate. One child is the inner loop and pours. The class calls the numbers. Nobody ever again asks me which loop goes faster, because the inner loop has a wet sleeve.

"Madam, what is plate zero?"

This comes every year, and I wait for it. I hold up the tower. Where is zero? Some say the table. Some say the lid. This year Selvi said: "Zero is how many plates are *under* it." I have a degree in this subject and I had never heard it said so well.

## While there is batter

~~~python
batter = 2600  # grams
eaten = 0

while batter >= 55:
    batter -= 55
    eaten += 1

print(eaten, "idli and", batter, "g for the crow")
~~~

They must guess the result before they press Run. Forty-seven, and 15 g for the crow. One pair forgot to take the batter away and had an endless loop, endless idli, and there was applause.

At the end I plug the pot in. If you teach in a school with smoke detectors, ask first.`,
  },
  {
    author: "meenakshi",
    title: "The exchange sacrifice at table four",
    description: "A girl of eleven gave a rook for a knight and then went to drink water.",
    tags: ["chess", "teaching"],
    daysAgo: 2.6,
    cover: { motif: "chess" },
    body: `Saturday tournament, third round, table four. On one side Mr Fernandes, retired from the railway, who has played the same opening since before I was born and will tell you so. On the other side Yazhini, eleven, feet not on the floor.

I was passing with the score sheets when she took his knight on c3 with her rook. Not by mistake. You can see it in the hand: a mistake is quick, or it trembles. This hand took the knight off, set the rook down in the middle of the square, and wrote the move.

He took back with the pawn, because what else, and then he counted. A rook for a knight. He looked at me over his glasses with sympathy for the child.

She had gone to drink water.

## What she had seen

I may not help, but I may look.

- His pawns on the queen's side were now two lonely islands, and one of the islands was a pair standing on the same file.
- His king had castled exactly there.
- Her own knights had squares, and nobody left to chase them off.
- His two rooks were worth ten points on paper and had nowhere to go.

It took eighteen more moves. She did not attack; she *improved*. A knight to c4, the queen one step, the other rook to the open file. He had more material than she had until move thirty-four, and he had less of everything else since move sixteen.

When he gave her his hand he kept it a little. "Who showed you that?" She said: "You did, sir. Last month, against me. I was crying so I remember it."

He went to drink water.

Afterwards they sat with the board for an hour. I had to lock up, so I gave him the key.`,
  },
  {
    author: "meenakshi",
    title: "Losing to my daughter",
    description: "There was a day, and I have the score sheet.",
    tags: ["chess", "parenting"],
    daysAgo: 65.5,
    cover: { motif: "chess" },
    body: `Parents ask me whether they should let a child win. I never did. I gave odds instead: first both rooks, then a rook and a knight, a knight, a pawn, then only the white pieces. It took her from five to thirteen. We both always knew exactly where we stood, and whoever won had won.

On the fourteenth of a month I will not name, with equal pieces, she played a quiet king move in an ending that I had taught her, and I understood that I was lost about two seconds before she did. So I had two seconds to arrange my face.

She saw the face. "Amma," she said, "you can say it."

I said it. Then she asked whether we are still going to give the tournament on Saturday together, as if it might be cancelled on account of the weather.`,
  },
  {
    author: "meenakshi",
    title: "Chess club rules, version 9",
    description: "Amended after Thursday.",
    tags: ["chess"],
    daysAgo: 48.4,
    body: `1. Touch it, move it. Sleeves count.
2. You may say "check". You may not sing it.
3. The clock is pressed with the hand that moved the piece. (Added in version 4. Ask Ilango.)
4. No opening is "stupid". You may say that it surprised you.
5. Whoever offers a draw with a mouth full must wait until the mouth is empty and offer again.
6. Lost pieces are replaced by bottle caps. A bottle cap has the full rights of the piece.
7. Parents stand behind the yellow line. *All* parents. (Version 7, and again in version 8.)
8. New: the cat is not a spectator, it is a hazard. If it lies down on a board, stop the clocks and wait. The position stands where the cat did not touch it.`,
  },
  {
    author: "meenakshi",
    title: "Endgame homework",
    description: "Three positions, one bishop, no computer.",
    tags: ["chess", "teaching"],
    daysAgo: 131.8,
    body: `Set these up on a real board. In each one, say first *win or draw*, and only then look for moves.

~~~text
1   4k3/8/4K3/4P3/8/8/8/8 w - - 0 1
2   4k3/4P3/4K3/8/8/8/8/8 w - - 0 1
3   k7/8/P7/8/8/4B3/8/6K1 w - - 0 1
~~~

Numbers 1 and 2 differ by two squares. Number 3 has made grown men cry in this very room: count the colour of the corner.

Answers on Saturday. Please do not ask Mr Fernandes in advance, he tells everybody.`,
  },
];
