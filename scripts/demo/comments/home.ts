import { said, type Threads } from "./said.ts";

/** Under the blogs on children, money and languages, and those for followers alone. */
export const homeThreads: Threads = {
  "Questions asked between 19:40 and 20:10": [
    said(
      "meenakshi",
      "\"What's the last number that has a name?\" Please tell her that this is a real question and that I've carried it into the staff room, where it has ended the lunch.",
      [
        said(
          "solveig",
          "She would like to know what they said.",
          [
            said(
              "meenakshi",
              "They said it is the one you have just thought of, plus one, and that she may name it.",
              [
                said("solveig", "It is now called Snurfa.", [
                  said("chidinma", "And Snurfa plus one?", [
                    said(
                      "solveig",
                      '"Other Snurfa."',
                      [],
                      ["chidinma", "meenakshi", "ines.quadros", "gethin", "mina"],
                    ),
                  ]),
                ]),
              ],
            ),
          ],
          ["chidinma"],
        ),
      ],
      ["solveig"],
    ),
    said(
      "ciaran",
      "For the snail: they can't go backwards. But they can change their mind very slowly, which comes to the same.",
    ),
    said("mina", "Who WAS the boss before Grandma?"),
    said(
      "ines.quadros",
      "Is the snail all right?",
      [
        said(
          "solveig",
          "He has been moved to the window box. He has a view.",
          [],
          ["ines.quadros", "ciaran", "mina", "zsofi"],
        ),
      ],
      ["solveig"],
    ),
  ],
  "Twins, or a scheduling problem": [
    said(
      "chidinma",
      "Classic fix: always take the left boot first. If both need left before right, nobody can hold a right one and wait for ever.",
      [
        said("solveig", 'I explained it. They have agreed on the rule and now dispute what "left" is.', [
          said("chidinma", "Then you need a coordinator.", [
            said("solveig", "We have the dog.", [], ["chidinma", "ciaran", "gethin", "mina", "zsofi"]),
          ]),
        ]),
      ],
      ["solveig", "meenakshi"],
    ),
    said("gethin", "The redder cup! We've one shirt that's bluer. Same supplier, same wash. Grown men."),
    said("zsofi", "Two apprentices, one oven glove. I bought a second. It is the wrong one."),
  ],
  "Reading aloud in two languages": [
    said("ines.quadros", "We have no gluggaveður in Portuguese, we just go out and regret it."),
    said(
      "mina",
      "Jæja is the best word in any language. I asked you once what it means and you breathed in, said it, and left.",
    ),
    said(
      "gethin",
      "My nan had a whole second husband in Welsh that we never heard about in English.",
      [
        said("solveig", "Gethin, you can't stop there.", [
          said("gethin", "It isn't the same in English.", [], ["solveig", "mina", "ciaran"]),
        ]),
      ],
      ["solveig"],
    ),
  ],
  "The sock with no partner": [
    said("gethin", "Three in a wash is promotion form.", [], ["solveig", "ciaran"]),
    said("zsofi", "Montessori. I'll say that about the baguettes."),
  ],
  "The envelope method, with buses": [
    said(
      "ines.quadros",
      "I've been doing this since spring, seven envelopes in a biscuit tin. *Recovery time* is the one I'd never had. It changed how I sleep.",
      [
        said("kwabena", "This is good to read. What makes you say “ei!” aloud?", [
          said("ines.quadros", "The dentist. Twice."),
        ]),
      ],
      ["kwabena", "chidinma"],
    ),
    said(
      "malika",
      "In my shop there is also an envelope that nobody may touch. On it my mother wrote the name of the tax inspector. He retired in 1996.",
      [
        said(
          "kwabena",
          "Never rename an envelope that works.",
          [],
          ["malika", "zsofi", "gethin", "chidinma"],
        ),
      ],
      ["kwabena"],
    ),
    said("zsofi", "Food in two halves. Yes. I order flour the same way."),
    said("gethin", "What percentage would you say is right for socks?", [
      said("kwabena", "For a club of your size: one sock."),
    ]),
  ],
  "My fridge is an investment": [
    said(
      "chidinma",
      "Nineteen per cent, tax-free. I've gone and put a meter on everything. The aquarium is a scandal.",
      [said("kwabena", "Do not tell the fish.", [], ["chidinma", "gethin", "malika"])],
      ["kwabena"],
    ),
    said("zsofi", "My cold room: 6,100. I sat down."),
  ],
  "Lending to family: the ledger I burned": [
    said(
      "malika",
      "My book has such names also. I'm not yet ready to burn it, but I have moved it from the counter to the back.",
    ),
    said("gethin", "Uncle Yaw can come to any of our matches.", [], ["kwabena", "malika"]),
  ],
  "Rent, rice, index fund": [
    said(
      "kwabena",
      "Retyping on the same day is the whole secret. After a month the money has learned your address.",
      [],
      ["chidinma", "malika"],
    ),
    said("mina", "What does one do with 20 kg of cumin?", [
      said("chidinma", "One has it.", [], ["mina", "zsofi", "solveig"]),
    ]),
  ],
  "Tones, for people who say they can't hear them": [
    said(
      "gethin",
      "I stand by my tomb.",
      [
        said("ngoc.hanh", "Your mother would like a word.", [
          said("gethin", "Level, or falling?", [
            said(
              "ngoc.hanh",
              "With your family, Gethin: drops and shuts the door.",
              [],
              ["gethin", "mina", "ines.quadros", "nasrin", "ciaran"],
            ),
          ]),
        ]),
      ],
      ["ngoc.hanh", "ciaran"],
    ),
    said(
      "mina",
      "As a singer I object to “tone deaf” at parties in general. They hear perfectly. They are shy.",
      [],
      ["ngoc.hanh", "nasrin", "chidinma"],
    ),
    said(
      "nasrin",
      "“Swallow a small frog halfway” has been tried out on the roof by seven people. Mrs Golestan is a natural.",
      [said("ngoc.hanh", "Send her to me, I'll give her a seventh.")],
      ["ngoc.hanh"],
    ),
    said(
      "yuki.h",
      "Japanese has hashi (bridge) and hashi (chopsticks) and I never noticed how I do it until my friend from Osaka did it the other way.",
      [
        said(
          "ngoc.hanh",
          "Isn't that wonderful? You were all walking across chopsticks.",
          [],
          ["yuki.h", "tobias", "nasrin"],
        ),
      ],
    ),
  ],
  "A letter in bad Portuguese": [
    said(
      "ines.quadros",
      'Eu guardo todas as cartas. And your "vietnamita" was right both times, I crossed it out because I thought there must be a mistake in such a long word.',
      [
        said("ngoc.hanh", "Então quero meio ponto de volta!", [
          said("ines.quadros", "Dou-te um ponto inteiro, pelo hífen que não esqueceste.", [], ["ngoc.hanh"]),
        ]),
      ],
      ["ngoc.hanh", "nasrin"],
    ),
    said("solveig", "Three letters about prunes. This is friendship."),
    said("tobias", "One of us should tell the man with the oranges."),
  ],
  "Ten words a day is nine too many": [
    said("yuki.h", "Today: 踏切. Level crossing. I needed it for Tobias."),
    said(
      "mina",
      "You called in the first minute and talked for two hours. What was the word for the last minute?",
      [said("ngoc.hanh", "“Soon.”", [], ["mina", "nasrin", "yuki.h", "malika", "solveig"])],
    ),
  ],
  "Dictionaries I have slept on": [
    said(
      "gethin",
      "I asked her. She's gone the colour of the away kit and says it's none of anyone's business.",
      [said("ngoc.hanh", "Then I'll put it back exactly where it was.", [], ["gethin", "mina", "solveig"])],
      ["ngoc.hanh"],
    ),
    said("stoyan", "You don't.", [], ["ngoc.hanh"]),
  ],
  "Geirfa dydd Sadwrn: Welsh for the touchline": [
    said(
      "ngoc.hanh",
      "Diolch yn fawr! Homework done: I said it to the man who reads the water meter. He wrote something down.",
      [said("gethin", "Da iawn ti.", [], ["ngoc.hanh"])],
      ["gethin"],
    ),
    said(
      "ciaran",
      "We've *ag caitheamh sceana gréasaí* for the rain. It's throwing cobblers' knives. Yours is drier.",
      [
        said("gethin", "Old ladies AND sticks, mind. You'd want your knives.", [
          said("mina", "In German it's strings. Thin, reliable strings.", [], ["gethin", "ciaran"]),
        ]),
      ],
    ),
    said("solveig", "Is there a word for the linesman's father?"),
    said("gethin", "Distaw. It means silent.", [], ["solveig", "meenakshi", "mina", "ciaran", "ngoc.hanh"]),
  ],
  "The exchange sacrifice at table four": [
    said(
      "nasrin",
      "“I was crying so I remember it.” Is she yours, Yazhini?",
      [
        said(
          "meenakshi",
          "No, she is the daughter of the woman who sells jasmine at the gate. She came to the club because of the fan.",
          [said("nasrin", "Then may the fan be blessed.", [], ["meenakshi", "yuki.h"])],
        ),
      ],
      ["meenakshi"],
    ),
    said(
      "stoyan",
      "He had more material than she had and less of everything else. I know offices like this.",
      [],
      ["meenakshi", "chidinma", "tobias"],
    ),
    said(
      "chidinma",
      "What would the computer have said to Rxc3?",
      [
        said(
          "meenakshi",
          "I looked at home. It says: equal. But it has never had to sit opposite her.",
          [],
          ["chidinma", "nasrin", "ines.quadros"],
        ),
      ],
      ["meenakshi"],
    ),
    said("gethin", "He went to drink water. I've had managers who never learned to."),
    said("tobias", "Did he give the key back."),
  ],
  "Losing to my daughter": [
    said(
      "gethin",
      "Two seconds to arrange your face. I had about that long with the gloves.",
      [],
      ["meenakshi", "mina"],
    ),
    said(
      "solveig",
      "I lost at memory today, 22 pairs to 3. To a four-year-old who was also eating.",
      [said("meenakshi", "Give odds. She takes only the left half of the table.")],
      ["meenakshi"],
    ),
  ],
  "Chess club rules, version 9": [
    said("malika", "Rule 6 is a very good law."),
    said(
      "ines.quadros",
      "What happened on Thursday?",
      [
        said(
          "meenakshi",
          "She lay down on a won ending. White's. We waited for fifty minutes, and then Black resigned, out of respect.",
          [],
          ["ines.quadros", "malika", "yuki.h", "nasrin", "gethin"],
        ),
      ],
      ["meenakshi"],
    ),
  ],
  "Endgame homework": [
    said("chidinma", "1 win, 2 draw, 3 draw? The corner is light and the bishop is dark.", [
      said("meenakshi", "Full marks. Now say it without the question mark."),
    ]),
    said("stoyan", "Number 3 I had in 1991 with the wrong bishop and an audience."),
  ],
  "Leaving the agency": [
    said(
      "chidinma",
      "Three days for the pharmacy, two for whoever calls. I'm calling.",
      [
        said("ines.quadros", "About what?", [
          said("chidinma", "I don't know yet. Keep the Thursday.", [], ["ines.quadros"]),
        ]),
      ],
      ["ines.quadros"],
    ),
    said(
      "malika",
      "When you are free you come to Samarkand and I show you the green door. You can work in the window next to Igna.",
    ),
    said(
      "mina",
      "What happens to the plant?",
      [said("ines.quadros", "It comes with me. It's been doing half the work.")],
      ["ines.quadros"],
    ),
  ],
  "Notes for Thursday, not for the tenors": [
    said("chidinma", "Bar 9 is done. Bar 12 goes up to a C and I don't want to hear anything about it."),
    said("zsofi", "The clef is baked. The two dots are pogácsa.", [], ["mina", "chidinma"]),
    said(
      "gethin",
      "I can't come, but I've the grey folder from when you sang here. It's been through the wash.",
      [said("mina", "Inside out?", [said("gethin", "Naturally.", [], ["mina", "solveig"])])],
    ),
  ],
  "I have made an offer for the shop next door": [
    said("kwabena", "Twelve times. I have counted again.", [], ["zsofi", "chidinma"]),
    said(
      "mina",
      "No congratulations. I only want to say that four tables is exactly a vocal quartet with guests.",
      [
        said("zsofi", "No music.", [
          said("mina", "We'd be very quiet, we'd be ALTOS.", [], ["chidinma", "ciaran", "zsofi"]),
        ]),
      ],
    ),
  ],
  "The job in Akureyri": [
    said(
      "mina",
      "You asked for something funny. I have thought for an hour and what I have is: Gerd would have to play the organ.",
      [said("solveig", "That goes under *stay*. In capitals.")],
      ["solveig", "chidinma"],
    ),
    said("ciaran", "The snail travels well, I'd say. He's his own house."),
    said(
      "gethin",
      "Go or stay, the girls get a sock each in club colours. They'll be different sizes.",
      [],
      ["solveig"],
    ),
  ],
};
