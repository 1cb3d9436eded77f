import { said, type Threads } from "./said.ts";

/** Under the blogs on bicycles, football, gardens and bread. */
export const handThreads: Threads = {
  "The click": [
    said(
      "gethin",
      "It was the seat post. Three months I've blamed the bottom bracket and, for a bit, my son.",
      [
        said("annelies", "Four out of ten. Apologise to the boy.", [
          said("gethin", "He wants it in writing.", [
            said("annelies", "Correct.", [], ["gethin", "solveig"]),
          ]),
        ]),
      ],
      ["annelies"],
    ),
    said(
      "chidinma",
      '"Change one thing at a time." This is the best debugging guide on the site and it has no computers in it.',
      [],
      ["annelies", "ines.quadros", "meenakshi"],
    ),
    said("kwabena", "Mine only clicks on the way to work."),
    said("annelies", "@kwabena then it's the work.", [], ["kwabena", "mina", "ciaran", "tobias", "malika"]),
    said("malika", "What do you do with the acorns?", [
      said(
        "annelies",
        "I plant them along the railway. Eleven stand. The tallest is up to my handlebar.",
        [said("ciaran", "You're an honest woman, Annelies.")],
        ["malika", "ciaran", "stoyan", "yuki.h"],
      ),
    ]),
  ],
  "True a wheel with a zip tie": [
    said("meenakshi", "Did it. Went the wrong way once, smiled as instructed."),
    said("ciaran", "I'd like it noted that I broke no spoke. I broke the key.", [
      said("annelies", "Did you bring a spoke when you bought it?", [
        said("ciaran", "I brought a feeling.", [], ["annelies", "zsofi", "gethin"]),
      ]),
    ]),
    said("tobias", "Which ferry."),
  ],
  "The price list on my wall, explained": [
    said(
      "malika",
      'I would like the line "while you stand next to me and talk" in my shop, but then I would be rich and alone.',
      [],
      ["annelies", "zsofi", "mina", "kwabena"],
    ),
    said("zsofi", "I will copy the fifth line."),
  ],
  "A puncture in eight minutes": [
    said(
      "solveig",
      "Tested at the side of the road with two children. 41 minutes, 26 swans, counted twice because of a dispute.",
    ),
    said("gethin", "The cross and not the circle. Fifty-three years I've been drawing circles."),
  ],
  "De fiets van mevrouw Postma": [
    said(
      "ngoc.hanh",
      "“Hij doet het nog” is now my word for today. Four words, I know, but it works on a bicycle, a grandmother and a kettle.",
      [],
      ["annelies"],
    ),
    said("mina", "61, 60, 58. I had to put the telephone down for a moment."),
    said("nasrin", "Please oil the bell well."),
  ],
  "Match report: Llanfedwen 1, Weather 4": [
    said(
      "ciaran",
      "Was the duck booked?",
      [
        said(
          "gethin",
          "Spoken to. It's the same duck as last year, there's history.",
          [
            said("ciaran", "And how's the urn?", [
              said("gethin", "Resting. There's been a collection. Four pounds twenty and a Spanish coin.", [
                said("kwabena", "An urn needs its own envelope, Gethin.", [
                  said(
                    "gethin",
                    "It's had one since nine this morning. Somebody's written URN on it, and under that somebody's written SOCKS.",
                    [],
                    ["kwabena", "ciaran", "mina"],
                  ),
                ]),
              ]),
            ]),
          ],
          ["ciaran", "stoyan"],
        ),
      ],
      ["gethin", "mina", "solveig", "annelies"],
    ),
    said(
      "ngoc.hanh",
      "mae hi'n bwrw hen wragedd a ffyn, then?",
      [said("gethin", "Word perfect. With the ducks on top.", [], ["ngoc.hanh"])],
      ["gethin"],
    ),
    said(
      "solveig",
      "A flag in each hand so as not to blow away! Tell him that two four-year-olds here are now marching about with tea towels.",
    ),
    said("mina", "Fourteen seconds. I've waited longer for an alto entry."),
    said("meenakshi", "The corner: you say that it doesn't stand. Will you appeal?", [
      said("gethin", "Against the weather?"),
    ]),
    said("tobias", "Size six, blue, left or right.", [
      said("gethin", "You'd have to ask Gwyn.", [], ["tobias", "annelies"]),
    ]),
  ],
  "How to wash forty-one socks": [
    said("solveig", "He plays with ONE sock. I've been pairing for nothing.", [], ["gethin", "mina"]),
    said("annelies", "Washing soda, yes. Also for chains. Not the same bath.", [
      said("gethin", "Which order?", [
        said("annelies", "Gethin.", [], ["gethin", "ciaran", "zsofi", "mina"]),
      ]),
    ]),
    said(
      "yuki.h",
      "Pegged in formation! Please, if I come once with a camera: which formation photographs best?",
      [said("gethin", "4-4-2. With a 3-5-2 you get a sag.")],
      ["gethin", "malika"],
    ),
    said("zsofi", "Flour: the same thing. Never hot."),
  ],
  "The away end is a hedge": [
    said(
      "ciaran",
      "I'd like to register a story for entry. It concerns a melon.",
      [said("gethin", "Mrs Pugh's heard it. From three people. Three pounds.")],
      ["gethin"],
    ),
    said("tobias", "Is there a night train."),
  ],
  "My son, the linesman": [
    said("solveig", "“and not Dad.” I had to go and look at mine sleeping.", [], ["gethin", "mina"]),
    said(
      "meenakshi",
      "He minds his own mistake and not the shouting. Keep the page. In ten years show it to him.",
      [said("gethin", "I took a picture. Don't tell him.", [], ["meenakshi", "solveig"])],
      ["gethin", "ciaran", "mina", "nasrin"],
    ),
  ],
  "Plot 14b, a history of optimism": [
    said("zsofi", "The melon. You sent me a piece of it by post. In a tea towel.", [
      said("ciaran", "And?", [
        said("zsofi", "You know what I said.", [
          said(
            "ciaran",
            'She said "texture of wet chalk, interesting". I\'ve it framed.',
            [],
            ["zsofi", "mina", "gethin", "annelies"],
          ),
        ]),
      ]),
    ]),
    said(
      "gethin",
      "*You got this far.* I read it out in the clubhouse and Dai had to go and look at the pitch.",
      [],
      ["ciaran", "mina", "solveig"],
    ),
    said(
      "malika",
      "My mother left a drawer like this for me. In it was a paper: count again. I counted again. There was one more gold thimble than in the book.",
      [said("ciaran", "Malika, that's better than mine.", [], ["malika", "gethin", "ines.quadros"])],
      ["ciaran", "mina", "yuki.h", "ines.quadros", "annelies"],
    ),
    said("stoyan", "What does the hawk say? Which species?", [
      said("ciaran", "It says *kee-ow*. It's from a catalogue.", [
        said(
          "stoyan",
          "That is an American hawk. Your pigeons have never been to America.",
          [],
          ["ciaran", "meenakshi", "tobias", "yuki.h"],
        ),
      ]),
    ]),
    said(
      "nasrin",
      "When you bury yours, put the date and where Saturn was. It's a very good clock, nobody can set it wrong.",
    ),
  ],
  "Slugs: a correspondence": [
    said("mina", "The service was well attended!! I had tea in my nose."),
    said(
      "stoyan",
      "There are leopard slugs who eat other slugs. You could have the police in your own house.",
      [said("ciaran", "I'll put it to the tenants.")],
    ),
    said("annelies", "19 euros for copper. I'd have given you brake cable.", [], ["ciaran"]),
    said(
      "solveig",
      "A question has come in from a bedroom here: can a snail be a tenant as well or is that more?",
      [
        said(
          "ciaran",
          "A snail's an owner-occupier.",
          [],
          ["solveig", "mina", "gethin", "zsofi", "meenakshi", "ngoc.hanh"],
        ),
      ],
    ),
  ],
  "Compost is a slow oven": [
    said(
      "zsofi",
      "That is my thermometer.",
      [said("ciaran", "I washed it.", [said("zsofi", "Keep it.", [], ["ciaran", "gethin", "annelies"])])],
      ["mina"],
    ),
    said("kwabena", "Forty envelopes from last year: brown or green?", [
      said("ciaran", "Brown. Take the little windows out."),
    ]),
  ],
  "The courgette problem": [
    said("gethin", "How's Declan?", [
      said("ciaran", "He's been made into a boat.", [], ["gethin", "solveig"]),
    ]),
    said(
      "zsofi",
      "Grate, salt, press, into the bread, 15 per cent. I would need about two hundred kilos. So one of your plants.",
    ),
  ],
  "A robin owns my spade": [
    said(
      "stoyan",
      "Yes. And it was not the wife to look at you. It was you to look at the wife.",
      [],
      ["ciaran", "mina"],
    ),
    said("nasrin", "“For a thing that weighs as much as a letter.” How lovely."),
    said("tobias", "One worm per spade, or more."),
  ],
  "Four in the morning, 78 per cent water": [
    said("mina", "I did not cry *a little*. And it was in D flat, I have been back."),
    said(
      "ciaran",
      "Hundred per cent flour, and then a hundred and one other things on top, and it's still only bread. How's it add up?",
      [
        said("zsofi", "It doesn't add up to 100. The flour IS 100. The rest is compared with it.", [
          said("ciaran", "So it's like the plot next door.", [
            said("zsofi", "If you like.", [
              said(
                "kwabena",
                "It is an index, Ciarán. Base year: flour.",
                [],
                ["zsofi", "chidinma", "meenakshi"],
              ),
            ]),
          ]),
        ]),
      ],
      ["gethin"],
    ),
    said("solveig", "2:40 is when I'm up as well. I'd like it to smell like yours.", [], ["zsofi", "mina"]),
    said(
      "chidinma",
      '"If it springs back at once, wait. If it stays, you are late, make focaccia." This is a complete incident runbook.',
      [],
      ["zsofi", "ines.quadros", "malika"],
    ),
    said(
      "kwabena",
      "Our first bus passes you at 5:05, I have it on the sheet. The driver slows down there. It isn't in the timetable and I have never asked.",
      [
        said(
          "zsofi",
          "Tell him to knock. There is always one that is not straight.",
          [],
          ["kwabena", "mina", "gethin", "ciaran"],
        ),
      ],
      ["zsofi", "tobias", "annelies"],
    ),
  ],
  "Your starter does not have a name": [
    said(
      "chidinma",
      "Gary doubles in four and a half hours.",
      [
        said("zsofi", "It.", [
          said("chidinma", "He.", [
            said(
              "mina",
              "Gary sang with us on Thursday. From a jar. A promising bass.",
              [
                said("zsofi", "I'm closing the comments.", [
                  said("ciaran", "You can't, I looked.", [], ["chidinma", "mina", "gethin", "ines.quadros"]),
                ]),
              ],
              ["chidinma"],
            ),
          ]),
        ]),
      ],
      ["mina", "ciaran"],
    ),
    said(
      "ngoc.hanh",
      "*kovász* and Bulgarian *квас* and the drink kvass are all one family, so it does have a name, and cousins.",
      [
        said(
          "stoyan",
          "In Bulgaria it has also a grandmother. She gives it to you only if she likes you.",
          [],
          ["ngoc.hanh", "zsofi"],
        ),
      ],
      ["zsofi", "stoyan"],
    ),
  ],
  "Pogácsa, my aunt's, corrected": [
    said(
      "meenakshi",
      "Made them for the tournament. Nine is correct. Mr Fernandes had fourteen and offered a draw with his mouth full.",
      [said("zsofi", "Rule 5.", [], ["meenakshi", "nasrin"])],
      ["zsofi"],
    ),
    said("solveig", '"They fall over a bit, like my uncles." Do we know what the aunt says to the butter?', [
      said("zsofi", "She asked who died and left me butter.", [], ["solveig", "mina", "ciaran", "malika"]),
    ]),
    said("ines.quadros", "Can I do the cold parts overnight?", [
      said("zsofi", "Yes. After the second folding. They will be better and I'll deny that I said it."),
    ]),
  ],
  "Rye for people who gave up on rye": [
    said("ciaran", "It was STANDING, in fairness, because it's a good knife.", [
      said("zsofi", "You had to buy a new one.", [], ["mina", "annelies"]),
    ]),
    said(
      "annelies",
      "Dutch people have waited a long time for somebody to say this about rye. With old cheese, on the third day.",
    ),
    said("mina", "I'm on your side regarding the caraway, and I am prepared to say so in front of others."),
  ],
  "The oven's left side": [
    said("annelies", "I have a customer who only wants the bent pump. Same thing."),
    said(
      "nasrin",
      "In optics we would call it a feature of the instrument and publish a correction. Mr Halmos calls it breakfast.",
      [],
      ["zsofi", "mina"],
    ),
  ],
};
