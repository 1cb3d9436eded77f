/** `[author, text]` starts a thread; with "last" it answers the line before it. */
export type Line = [author: string, text: string, replyTo?: "last"];

/**
 * What people say while a visitor watches, by the blog's title, in the order in which they say it.
 * No line is by a sample login: the visitor may be signed in as one.
 */
export const linesByBlog: Record<string, Line[]> = {
  "Match report: Llanfedwen 1, Weather 4": [
    ["ciaran", "News of the blue sock?"],
    ["gethin", "A woman in Pontarddu has it on a scarecrow. Negotiations tonight.", "last"],
    ["ciaran", "Don't open with your best offer. Open with toffees.", "last"],
    ["gethin", "They're Huw's.", "last"],
    ["annelies", "The urn: is it the element or the plug? Send me a picture of the bottom."],
    ["gethin", "There's no bottom on it any more, that was the bang.", "last"],
    ["annelies", "Then it is a pipe. I'll think of something.", "last"],
    ["kwabena", "Our canteen is replacing two urns. I have put my hand up."],
    [
      "gethin",
      "Kwabena, there'll be a stand named after you. There's no stand, but there'll be one.",
      "last",
    ],
    ["stoyan", "The duck. Green head or brown?"],
    ["gethin", "Brown. Why?", "last"],
    ["stoyan", "Then she has eggs in the reeds. Mark the corner off. Play with three corners.", "last"],
  ],
  "I run a button shop and I made a web page": [
    [
      "chidinma",
      "Checked from the office: the page is 1.4 kB and loads in 60 ms. Ours is 3.1 MB. I have sent everybody the link.",
    ],
    [
      "meenakshi",
      "My first-years have it too. Exercise one: find what could be removed. They handed in empty sheets.",
      "last",
    ],
    ["chidinma", "Full marks for all.", "last"],
    [
      "nasrin",
      "I showed Mrs Golestan the sentence with the cat. She asks if the shop sends to a second floor.",
    ],
    ["yuki.h", "Today I put our own door on the internet. It's also green. Nobody asked me to."],
    ["annelies", "Now I want a cat.", "last"],
    ["tobias", "Is it near the station."],
    [
      "kwabena",
      "A customer came from Tashkent because of eleven lines of text. I know advertising departments that should sit down.",
    ],
  ],
  "Saturn, with eleven neighbours and a ladder": [
    [
      "nasrin",
      "Clear again tonight! I am carrying the tube up in ten minutes. Mrs Golestan is on the stairs already, with a cushion.",
    ],
    ["mina", "Please report which note the rung sings when it's cold.", "last"],
    ["nasrin", "A little lower. Like all of us.", "last"],
    ["mina", "Then it IS an F.", "last"],
    ["chidinma", "I would like this minuted.", "last"],
    ["meenakshi", "Cloud here. Ilango has drawn it for everyone on the board, with ears."],
    ["nasrin", "Let him keep the ears.", "last"],
    ["ciaran", "I went out to look and told the man on 12 it was Saturn. It was the mast at Three Rock."],
    ["tobias", "Seen from the corridor window, north of Hannover. Somebody is up there, I thought."],
    ["nasrin", "Tobias, we waved.", "last"],
  ],
  "The button that wanted to be a link": [
    ["chidinma", 'Found four more of these in our admin. One of them had `aria-label="div"`.'],
    ["meenakshi", "It's at least honest.", "last"],
    ["yuki.h", "I tried middle click on everything today. It's like knocking at walls."],
    [
      "nasrin",
      "What do you do with a card that has two places to go? Mine leads to the star and to its chart.",
    ],
    [
      "chidinma",
      "Stretch one. Put the other above it, small, with its own name. Don't nest them, they bite.",
      "last",
    ],
    [
      "ngoc.hanh",
      "In Vietnamese a button and a bottle stopper are one word, *nút*. I keep thinking of a page full of corks.",
    ],
  ],
  "Plot 14b, a history of optimism": [
    ["ciaran", "Update: Mrs Tuohy has asked about the bottle. She knew about it. She bought it for him."],
    ["gethin", "Well now.", "last"],
    ["mina", "Ciarán, you can't say this in a comment. This is a second blog.", "last"],
    [
      "ciaran",
      "She was carrying the clipboard when she said it. There's nothing on it. It's a photograph.",
      "last",
    ],
    ["mina", "I'm in a tram, you MONSTER.", "last"],
    ["stoyan", "What did you bury in the tin?"],
    ["ciaran", "A hawk. It still plays.", "last"],
    ["zsofi", "Beans?"],
    ["ciaran", "On your step since ten past six.", "last"],
  ],
  "Your Express error handler has four arguments. Count them.": [
    ["meenakshi", "I asked the class to find the bug from the diff alone. 17 said the indentation."],
    ["chidinma", "I approved it, so I can't say anything.", "last"],
    ["nasrin", "In Python we'd have had a decorator, and been wrong in a prettier way."],
    ["kwabena", "38 minutes. On line 12 we say: one missed bus and everybody behind it."],
    ["chidinma", "What do you do on line 12?", "last"],
    [
      "kwabena",
      "We turn one round before the end, so that the others meet a bus and not an apology.",
      "last",
    ],
    ["chidinma", "That's load shedding. That's exactly load shedding.", "last"],
  ],
  "In defence of the upper berth": [
    ["annelies", "Berth 36 was taken on Thursday. I only say."],
    ["tobias", "By whom.", "last"],
    ["annelies", "A man with a hen.", "last"],
    ["tobias", "Then it's fine.", "last"],
    [
      "kwabena",
      "I have asked our conductors who gets the good lamp. They've never heard of a good lamp. They are hiding it.",
    ],
    ["nasrin", "Is it dark enough up there to see stars from the shelf side?"],
    ["tobias", "One. Between Hallsberg and Laxå.", "last"],
  ],
  "Four in the morning, 78 per cent water": [
    ["ciaran", "Folded it four times with wet hands as told. It's on the ceiling."],
    ["zsofi", "How warm was the water?", "last"],
    ["ciaran", "Friendly.", "last"],
    ["zsofi", "Buy a thermometer.", "last"],
    ["ciaran", "I've yours.", "last"],
    ["kwabena", "The driver knocked this morning. He says the crooked one is the best one."],
    ["zsofi", "Of course. He got the corner piece.", "last"],
    ["yuki.h", "May I come at 5:45 with a microphone? I've never photographed a sound."],
    ["zsofi", "Bring slippers. The floor is wet.", "last"],
  ],
  "The exchange sacrifice at table four": [
    ["meenakshi", "They played again. He let her take on c3 once more, on purpose, to see it better."],
    ["nasrin", "And?", "last"],
    ["meenakshi", "He saw it better. Thirty-one moves.", "last"],
    ["stoyan", "A man who walks into the same gorge twice is either a fool or a naturalist.", "last"],
    ["tobias", "He still has the key, I suppose."],
    ["meenakshi", "He has had a second one cut, for her.", "last"],
  ],
  "My name does not fit on the programme": [
    ["chidinma", "Gerd has found a font called Condensed Extra. He's whispering to it."],
    ["mina", "Tell Gerd that I can hear him from the altos.", "last"],
    ["ngoc.hanh", "My bank has let me be Ngoc for nine years, without the dots. I call them on name days."],
    ["mina", "Do they answer?", "last"],
    ["ngoc.hanh", "They ask me to spell it.", "last"],
    ["gethin", "Llewelyn-Rhydderch says he's free on the ninth and does she dance."],
  ],
  "The click": [
    ["tobias", "It stopped by itself."],
    ["annelies", "Nothing stops by itself. What did you do?", "last"],
    ["tobias", "Sold the saddle bag.", "last"],
    ["annelies", "Zip. Told you.", "last"],
    [
      "meenakshi",
      "Step six, front brake, and there it was: a knock in the hand. The whole staff room has now felt it.",
    ],
    ["annelies", "Headset. A quarter turn, not more, then let go of the staff room.", "last"],
  ],
  "Tones, for people who say they can't hear them": [
    ["gethin", "Practising on the 14:05. Lady opposite has just said bless you."],
    ["ngoc.hanh", "Which one was it?", "last"],
    ["gethin", "The frog.", "last"],
    ["ciaran", "Is there one for when you meet somebody's goat?"],
    ["ngoc.hanh", "*dê*. Level. You'd manage it.", "last"],
    ["stoyan", "The eagle owl has only two. It's enough for a valley."],
  ],
  "Thirty-six frames": [
    ["yuki.h", "I walked past the place with the bucket. Today there are two rings on the ground."],
    ["ciaran", "I knew it. I KNEW it.", "last"],
    ["stoyan", "Sit down. Bring bread. Three weeks.", "last"],
    [
      "annelies",
      "Has your neighbour still got the bicycle? It needs a check after the first hundred kilometres.",
    ],
    ["yuki.h", "She has done six hundred. She says it clicks.", "last"],
    ["annelies", "Seat post!", "last"],
  ],
  "My grandmother reviews my dark mode": [
    ["nasrin", "Mrs Golestan has now also pressed the sun. She wants it to work on the actual roof light."],
    ["zsofi", "I made the letters on my board bigger. Sold out at half past ten. Could be the weather."],
    ["kwabena", "It was the letters.", "last"],
    ["gethin", "Would she look at our programme? It's four pages and the raffle's in yellow."],
    ["mina", "Gerd makes yours TOO?", "last"],
    ["gethin", "He does it for the toffees.", "last"],
  ],
  "Seventeen customers and one bug": [
    [
      "chidinma",
      "Every calendar in this company starts on a different day. I've counted three. I'm sending them all this.",
    ],
    ["tobias", "Four. The canteen starts on Thursday.", "last"],
    [
      "nasrin",
      "In our calendar the week begins on Saturday. So Sunday is 1 and everybody was right at home.",
    ],
    ["meenakshi", "I'll give that as homework: one date, three weeks, who is open?", "last"],
  ],
  "Questions asked between 19:40 and 20:10": [
    ["gethin", "Asked the whole dressing room about the snail. Eleven opinions, one fight."],
    ["ciaran", "There's one here on the pallet going sideways. Does that help the inquiry?"],
    [
      "meenakshi",
      "Selvi sends her regards and says that it is today in the kitchen as long as somebody is washing up.",
      "last",
    ],
    ["mina", "I've used “does the dark come from the cupboard” in the warm-up. The basses couldn't go on."],
    ["zsofi", "Fish: yes, when the soup is salty."],
  ],
  "The index we forgot": [
    ["meenakshi", "How big is the index now? Four fields must weigh something."],
    ["chidinma", "212 MB for everyone, 40 of it Shop 17. Cheaper than his patience.", "last"],
    ["kwabena", "Who is Shop 17, if one may ask?"],
    ["chidinma", "Garden gnomes. I won't say where.", "last"],
    ["stoyan", "Correct.", "last"],
  ],
  "Six hours at a border station": [
    ["tobias", "A postcard came. From the boy. It says 1435 and, on the back, 1520."],
    ["kwabena", "That's a friend for life.", "last"],
    ["mina", "I've found the suite. It's the fifth. We are humming it in the tram, all four of us."],
    ["annelies", "How is the hen?"],
    ["tobias", "Laying, I hear. Openly.", "last"],
  ],
  "Kingfisher, twenty-one misses": [
    ["yuki.h", "Morning twenty-nine. I left the camera at home, to be polite."],
    ["stoyan", "And he came.", "last"],
    ["yuki.h", "He came and sat for four minutes.", "last"],
    ["stoyan", "They know.", "last"],
  ],
  "Slugs: a correspondence": [
    ["ciaran", "A new letter this morning. It's on the copper band and it's mostly shine."],
    ["gethin", "What's it say?", "last"],
    ["ciaran", "They're asking after the brassicas.", "last"],
    ["annelies", "I'm posting you brake cable today. Rusty, they hate it."],
    ["mina", "I'd like to be on the mailing list of the tenants, please."],
  ],
  "Teaching loops with idli": [
    [
      "meenakshi",
      "Today recursion. I brought a coconut with a smaller coconut in it. It took me two days to make.",
    ],
    ["chidinma", "What was the base case?", "last"],
    ["meenakshi", "Ilango. He ate it.", "last"],
    ["zsofi", "Weight of the coconut?"],
  ],
  "How to wash forty-one socks": [
    ["gethin", "It's forty now. We don't talk about it."],
    ["kwabena", "Enter it under funerals.", "last"],
    ["annelies", "Mr Bevan was in the shop on holiday! He says you're playing five at the back next week."],
    ["gethin", "Am I? I just ran out of pegs.", "last"],
  ],
};

/** Short remarks that fit under any blog; the author must not be the blog's own. */
export const linesForAnyBlog: Line[] = [
  ["tobias", "Read in a tunnel. Twice."],
  ["mina", "I've just read this aloud to the whole changing room, they send greetings."],
  ["yuki.h", "何度も読みました。I read it again and again."],
  ["ciaran", "Grand stuff. I'd the tea gone cold over it."],
  ["nasrin", "Saved for the roof tonight. دستت درد نکند"],
  ["annelies", "Good. I'll hang this up over the bench."],
  ["gethin", "Tidy."],
  ["chidinma", "Bookmarked, and sent to two people who need it."],
  ["ngoc.hanh", "I've taken one word from this and I'll use it before tonight."],
  ["zsofi", "Read between two loads. Good."],
  ["meenakshi", "My class will get this on Thursday, if you allow it."],
  ["kwabena", "I read it at the depot and missed the 5:05. It did not miss me."],
];
