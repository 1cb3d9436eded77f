import { said, type Threads } from "./said.ts";

/** Under the blogs on stars, trains, singing, birds and photographs. */
export const eveningThreads: Threads = {
  "Saturn, with eleven neighbours and a ladder": [
    said(
      "yuki.h",
      "Please never repair the rung.",
      [
        said(
          "nasrin",
          "It has a name now. The children call it the doorbell.",
          [],
          ["yuki.h", "mina", "ciaran", "tobias"],
        ),
      ],
      ["nasrin", "mina", "meenakshi"],
    ),
    said("mina", "Which note does it sing?", [
      said("nasrin", "I have asked the fridge brothers, who have an app. Between F and F sharp.", [
        said(
          "chidinma",
          "Ah. Bar 31.",
          [
            said("mina", "Chidinma, it is an F SHARP.", [
              said("chidinma", "The rung and I disagree.", [
                said(
                  "nasrin",
                  "If you both come, we can put a choir on the ladder, by height.",
                  [],
                  ["mina", "chidinma", "solveig"],
                ),
              ]),
            ]),
          ],
          ["mina"],
        ),
      ]),
    ]),
    said("ciaran", "The baby's the only honest critic on that roof."),
    said(
      "meenakshi",
      "We looked from the school terrace with the finder of a broken theodolite and saw: a dot. But Ilango said the dot was slightly wide. I gave him the mark.",
      [
        said(
          "nasrin",
          "Galileo had hardly more! He wrote that it has ears.",
          [said("meenakshi", "I am reading this aloud tomorrow.", [], ["nasrin"])],
          ["meenakshi", "stoyan"],
        ),
      ],
    ),
    said("tobias", "Did he get to the wedding."),
    said(
      "nasrin",
      "He did, with a rust mark on his knees. It was his own.",
      [],
      ["tobias", "mina", "gethin", "ines.quadros", "zsofi"],
    ),
    said(
      "ngoc.hanh",
      "So کیوان is why my Persian book has Saturday confused with Saturn, or it is only me. Thank you for her brother.",
      [],
      ["nasrin"],
    ),
  ],
  "Drawing the Moon with twenty-five lines of Python": [
    said(
      "meenakshi",
      "My class reports: with the comparisons exchanged it is right for Wellington, and Selvi standing on her head confirms it. Marks for both.",
      [
        said("nasrin", "Is Selvi all right?", [
          said(
            "meenakshi",
            "She would like to know who is under her now, if zero is how many plates are underneath.",
            [],
            ["nasrin", "chidinma"],
          ),
        ]),
      ],
      ["nasrin"],
    ),
    said("chidinma", "Fourteen hours of error in exchange for no dependency. I'd approve that."),
    said("tobias", "Ran it in a tunnel. It worked in a tunnel.", [], ["nasrin", "chidinma", "yuki.h"]),
  ],
  "Averted vision": [
    said("yuki.h", "With the kingfisher too. If I look at the branch he doesn't come."),
    said("solveig", "This is how I check whether they're asleep.", [], ["nasrin", "mina", "gethin"]),
  ],
  "A notebook for stars that change": [
    said(
      "stoyan",
      "The same with birds: don't look at last year's list before you have written this year's. The eye is a liar that wants to please.",
      [said("nasrin", "Yes! And afterwards it is offended.", [], ["stoyan"])],
      ["nasrin"],
    ),
    said(
      "chidinma",
      "The folded plot is lovely. Have you kept the raw dates? I'd like to try whether one can find the period from the dots alone.",
      [
        said(
          "nasrin",
          "All of them, in a school exercise book with a football on it. I'll type them in for you. It is 212 nights.",
          [said("chidinma", "Please do. Start with the car park.")],
        ),
      ],
    ),
    said(
      "gethin",
      "A star that goes as it pleases. We have a left back like that.",
      [],
      ["nasrin", "ciaran", "solveig"],
    ),
  ],
  "How to be cold": [
    said("gethin", "Everything here applies to the touchline, except we've no nebula."),
    said("annelies", "The hat. Tell your brother the shop agrees.", [
      said("nasrin", "He has written back one word, and the word was “hair”.", [], ["annelies", "mina"]),
    ]),
  ],
  "In defence of the upper berth": [
    said(
      "annelies",
      "Delete this. Last month I got the upper one without asking. Next month everybody knows.",
      [
        said("tobias", "Nobody reads my blog.", [
          said(
            "mina",
            "We all do, Tobias, we just do it quietly, from the middle bunk.",
            [],
            ["tobias", "nasrin", "kwabena", "yuki.h"],
          ),
        ]),
      ],
      ["tobias"],
    ),
    said(
      "solveig",
      "How do you get down in the dark without stepping on the man below?",
      [said("tobias", "You don't. He moves.")],
      ["tobias"],
    ),
    said("kwabena", "As a dispatcher I ask: why does the conductor not know which of the three it is?", [
      said("tobias", "He knows. He is polite."),
    ]),
    said("nasrin", "You hear the rain before the others do. I've read this line four times now."),
  ],
  "Six hours at a border station": [
    said("mina", 'Which piece was it? You can\'t write "something short" and leave me here.', [
      said(
        "tobias",
        "I have asked the boy. He says it was the Sarabande from a suite, and that the transformer is a slightly low B.",
        [said("mina", "I like the boy.")],
      ),
    ]),
    said(
      "kwabena",
      'An axle that says "tock" is a carriage that stays. Respect to the man with the hammer. People only remember the six hours, not the other thing that did not happen.',
      [said("tobias", "I know.", [], ["kwabena"])],
      ["tobias", "annelies", "nasrin", "stoyan"],
    ),
    said("annelies", "A hairline crack rings short. I do it with spokes."),
    said(
      "ciaran",
      '"The hen is now travelling openly" is the finest last line of anything this year.',
      [],
      ["tobias", "mina", "gethin", "solveig"],
    ),
  ],
  "Breakfast, ranked": [
    said("zsofi", "What is wrong with people who put a croissant in plastic.", [
      said("tobias", "It was also warm. From the heating."),
      said("zsofi", "Stop.", [], ["tobias", "ciaran", "mina"]),
    ]),
    said("kwabena", "Eight trains, one croissant. That is a tender somebody won in 2009."),
  ],
  "Birds seen from a train window": [
    said(
      "stoyan",
      "The brown one at 06:20. Where exactly was this?",
      [
        said("tobias", "I won't say.", [
          said("stoyan", "Good.", [], ["tobias", "meenakshi", "ciaran", "yuki.h"]),
        ]),
      ],
      ["tobias"],
    ),
    said("yuki.h", "The plastic bag was also honest. It took one minute to become a plastic bag."),
  ],
  "What to pack": [
    said("gethin", "A wedge. For nine years I've folded a bus ticket."),
    said(
      "solveig",
      "Two children, fourteen bags. I read your list aloud to my husband as a bedtime story.",
      [],
      ["mina", "tobias"],
    ),
  ],
  "My name does not fit on the programme": [
    said(
      "ines.quadros",
      "For the record: he answered within an hour and thanked me. The column was varchar(30) because the paper form had thirty boxes.",
      [
        said(
          "mina",
          "I've filled in that paper form. I wrote on the table.",
          [],
          ["ines.quadros", "solveig", "chidinma"],
        ),
      ],
      ["mina"],
    ),
    said("ngoc.hanh", "On my visa I was L. T. N. H. for a year. I thought it was a kind of train."),
    said("chidinma", "The poem version hangs in my kitchen.", [
      said(
        "gethin",
        "There's a man in our second division called Llewelyn-Rhydderch and the shirt goes under the arm.",
        [
          said(
            "mina",
            "I would like to meet him. We could stand beside each other and block a road.",
            [],
            ["gethin", "chidinma"],
          ),
        ],
      ),
    ]),
    said(
      "meenakshi",
      'My register has eleven letters for surnames. I am "Sundaravadi" in it. It means nothing at all, but it has had perfect attendance since 2006.',
      [said("ines.quadros", "I want to write to all these people.", [said("chidinma", "Write one script.")])],
      ["mina", "ngoc.hanh", "ines.quadros", "nasrin"],
    ),
    said("stoyan", "Four bars. Which four?", [said("mina", "The ones with the A.")]),
  ],
  "Altos never get the tune": [
    said(
      "solveig",
      "From the organ: I hear you. It's the only line I can follow with my feet.",
      [],
      ["mina"],
    ),
    said(
      "chidinma",
      "Say nothing about the second verse. We only had the G on Tuesday and people are still raw.",
      [
        said("mina", "It was too HIGH.", [
          said("chidinma", "It was a G, Mina.", [
            said("solveig", "It was on its way to a G.", [], ["mina", "chidinma", "gethin"]),
          ]),
        ]),
      ],
    ),
    said("tobias", "Somebody has to be the middle bunk."),
  ],
  "We sang in a car park": [
    said("nasrin", "Six seconds! Did you try to sing a question and wait for it to be answered?", [
      said("mina", "We tried “Amen”. It came back with the accent of the ramp.", [], ["nasrin", "solveig"]),
    ]),
    said("yuki.h", "I would like to photograph the man with the key. Long exposure. He stands still anyway."),
    said(
      "kwabena",
      "At our depot one can do it in the washing hall. A bus holds a very good D.",
      [],
      ["mina"],
    ),
  ],
  "Second soprano, first row": [
    said("mina", "It was printed *right there* and I'm the one who printed it.", [
      said("chidinma", "Small print. I took it for dirt.", [said("mina", "On my font? Speak to Gerd.")]),
    ]),
    said(
      "ines.quadros",
      '"Read this next to what the payment module does." I\'ve stolen the sentence and it works. He said oh.',
      [],
      ["chidinma", "meenakshi"],
    ),
  ],
  "Thirty-six frames": [
    said("nasrin", "Frame 13 is my favourite. A rule is a rule.", [
      said(
        "yuki.h",
        "I printed it also. It is very evenly black.",
        [],
        ["nasrin", "tobias", "malika", "ines.quadros"],
      ),
    ]),
    said("tobias", "What was under the bucket."),
    said(
      "yuki.h",
      "I have a theory. A second, smaller bucket.",
      [said("ciaran", "Fintan had cousins, so.", [], ["yuki.h", "mina", "gethin", "tobias"])],
      ["tobias"],
    ),
    said(
      "stoyan",
      "You did not press at the yellow hats. I have one bear like that, 1998. I can still count his breaths.",
      [said("yuki.h", "Thank you. I was not sure if it is allowed to be proud of that.", [], ["stoyan"])],
      ["yuki.h"],
    ),
    said("malika", "Your father is right about the comb."),
  ],
  "Developing in a bathroom with a cat": [
    said("malika", "Igna would like to know if the job is still free."),
    said(
      "meenakshi",
      "Rule 8 of the chess club applies: the film stands where the cat did not touch it.",
      [],
      ["yuki.h", "malika", "nasrin"],
    ),
    said("annelies", "And what did you tell the gallery?", [
      said(
        "yuki.h",
        "I said: a collaboration.",
        [],
        ["annelies", "malika", "ines.quadros", "mina", "nasrin"],
      ),
    ]),
  ],
  "雨の日 / Rainy day, ISO 400": [
    said(
      "ngoc.hanh",
      "やさしい顔、とてもいい言葉です。I read the Japanese first and then checked myself with yours. One mistake only: I thought the bank went into the umbrella.",
      [said("yuki.h", "それもいいですね。That would be a better picture.", [], ["ngoc.hanh", "nasrin"])],
    ),
    said(
      "tobias",
      "Does the red one come on Saturdays.",
      [said("yuki.h", "The bank is closed on Saturdays. She comes.")],
      ["yuki.h"],
    ),
  ],
  "Kingfisher, twenty-one misses": [
    said(
      "stoyan",
      "Ten past seven, you say. So he has a second branch, where he sits at seven. Stop looking for him. Look for white drops on a stone.",
      [
        said("yuki.h", "There is a stone. Forty metres up. I took it for paint.", [
          said("stoyan", "It is always paint until you know.", [
            said("yuki.h", "He was there this morning, on the stone, at 6:58. I had the lens cap on.", [
              said("stoyan", "Frame 13.", [], ["yuki.h", "tobias", "nasrin", "ciaran"]),
            ]),
          ]),
        ]),
      ],
      ["yuki.h"],
    ),
    said("nasrin", "Number eight, the millimetre of blue, going out! I have drawn whole meteors with less."),
  ],
  "Where I saw it: I won't say": [
    said("tobias", "I have never been there."),
    said(
      "meenakshi",
      "My students asked why one should write about a thing and not say where it is. I told them to read the paragraph with the Wednesday.",
      [said("stoyan", "Tell them nine cars is not many. It is enough.", [], ["meenakshi"])],
      ["stoyan"],
    ),
    said("yuki.h", "I also have a river now. I won't say.", [], ["stoyan", "tobias", "ciaran"]),
    said("ciaran", "Twenty-six years. What would she say about the fish?", [
      said("stoyan", "She says I should bring one once and see.", [], ["ciaran", "meenakshi", "chidinma"]),
    ]),
  ],
  "Sorting is a solved problem, observers are not": [
    said(
      "chidinma",
      "I would have kept the field and set it to 1.0 for him. Then I read the last paragraph. Your version is better.",
    ),
    said(
      "meenakshi",
      "I want to use this in class. May I change the birds to something local?",
      [said("stoyan", "The birds yes. The founder no.")],
      ["stoyan"],
    ),
  ],
};
