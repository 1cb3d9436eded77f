import { said, type Threads } from "./said.ts";

/** Under the blogs on HTML, CSS, JavaScript, servers and Java lessons. */
export const codeThreads: Threads = {
  "The button that wanted to be a link": [
    said(
      "chidinma",
      "The z-index on the real button bit us too. We had the card's link above it for a month and everybody who wanted one teapot went to read about teapots.",
      [
        said(
          "ines.quadros",
          "How did you find out?",
          [
            said(
              "chidinma",
              "A graph. Basket clicks down 31%, time on the product page up. Marketing was delighted.",
              [
                said("ines.quadros", "“Engagement.” I'm going to lie down.", [
                  said(
                    "chidinma",
                    "They had it on a slide. With an arrow.",
                    [],
                    ["ines.quadros", "meenakshi", "malika"],
                  ),
                ]),
              ],
            ),
          ],
          ["malika"],
        ),
      ],
      ["ines.quadros", "meenakshi", "malika", "tobias"],
    ),
    said(
      "meenakshi",
      'I gave this to my second-years and asked which of the five missing things they had ever missed themselves. All of them said "copy link". Not one had noticed the status corner, they did not know that it can show anything.',
      [said("ines.quadros", "That hurts a little. It used to be how you knew whether to trust a link.")],
      ["ines.quadros"],
    ),
    said(
      "malika",
      'What is it when both happen? For example a button "call the shop". The address does not change but you leave the page also.',
      [
        said(
          "ines.quadros",
          "It has an href (the tel: one), it can be copied, it can be opened: link. You got it right on your third evening without knowing the rule.",
          [said("malika", "I will tell my nephew.", [], ["ines.quadros", "chidinma"])],
          ["malika"],
        ),
      ],
    ),
    said("tobias", "Which attribute."),
    said(
      "yuki.h",
      "On my old phone the whole card is grey while I press and then I don't know what I pressed. With your version only the title changes. It is calmer.",
      [],
      ["ines.quadros", "nasrin"],
    ),
  ],
  "useEffect was the wrong drawer": [
    said(
      "chidinma",
      '"Somebody in Braga received eleven taps." I laughed on the bus. What did they do with them?',
      [
        said(
          "ines.quadros",
          "Kept them! He's a plumber. He sent a photograph and asked whether we have a flicker for shower heads as well.",
          [],
          ["chidinma", "annelies", "meenakshi", "gethin"],
        ),
      ],
      ["ines.quadros", "yuki.h"],
    ),
    said("meenakshi", "The table at the end is going on our wall. May I translate it into Tamil?", [
      said("ines.quadros", "Please. Send me a picture of the wall."),
    ]),
    said(
      "malika",
      "I don't know React. But I have also a drawer like this and in my drawer is a key.",
      [
        said(
          "solveig",
          "Everyone has the key. I believe there is one cellar somewhere that we all have the key to.",
          [
            said(
              "ciaran",
              "It's under my plot. Fintan.",
              [],
              ["solveig", "ines.quadros", "mina", "gethin", "malika"],
            ),
          ],
          ["ines.quadros", "malika"],
        ),
      ],
      ["ines.quadros"],
    ),
    said("chidinma", "Serious question: did you remove the one by Paulo?", [
      said(
        "ines.quadros",
        'I rang the Azores. He said, "What does it say?" I read it to him. He said, "I don\'t know either, but I remember that I was afraid." It stays.',
      ),
    ]),
  ],
  "Optimistic likes, and the rollback that ate a comment": [
    said(
      "chidinma",
      'Signed, the back end. PUT with a boolean, please. Every toggle endpoint I\'ve inherited had a support ticket called "it flickers".',
      [said("ines.quadros", "I promised not to start on toggles.", [said("chidinma", "I did not.")])],
      ["ines.quadros"],
    ),
    said(
      "meenakshi",
      "What happens in `settle` if sendLike throws? You leave the loop, the finally takes the id away, and the wanted value stays different from the server's. Who tries again?",
      [
        said(
          "ines.quadros",
          "You've found the part I cut for length: the caller catches, sets wanted back to what the server last confirmed, and shows a Retry. I should have left it in.",
          [
            said(
              "meenakshi",
              "I thought so. I have to ask, it is a reflex. Nineteen years.",
              [],
              ["ines.quadros"],
            ),
          ],
        ),
      ],
      ["chidinma"],
    ),
    said(
      "mina",
      "I understood nothing except that you believed you had offended somebody, and I understood that very well.",
    ),
  ],
  "Subgrid fixed my invoice": [
    said(
      "annelies",
      "35 euros to move a logo. I'm in the wrong trade.",
      [said("ines.quadros", "And 35 to move it back.")],
      ["malika", "zsofi"],
    ),
    said("zsofi", "What are tabular nums?", [
      said(
        "ines.quadros",
        "All digits equally wide, so that they stand under each other. Your price board would need it.",
      ),
      said("zsofi", "My price board is chalk. But I will write the ones wider."),
    ]),
  ],
  "My grandmother reviews my dark mode": [
    said(
      "malika",
      "Please hire her for me also.",
      [
        said(
          "ines.quadros",
          "She asks whether you would pay in buttons. She has a coat.",
          [
            said(
              "malika",
              "What colour, how many holes, which diameter.",
              [
                said(
                  "ines.quadros",
                  'She is measuring it now with a coin. Two euros is too big, one euro "almost".',
                  [
                    said("malika", "Then 22 mm. I send six, she will lose one.", [
                      said(
                        "ines.quadros",
                        "She says she has never lost anything. I have just found the coin in the soup.",
                        [],
                        ["malika", "mina", "solveig", "annelies", "yuki.h"],
                      ),
                    ]),
                  ],
                ),
              ],
              ["ines.quadros"],
            ),
          ],
          ["malika"],
        ),
      ],
      ["ines.quadros", "solveig"],
    ),
    said(
      "nasrin",
      "“A priest in a cellar” is also a good description of the galaxies people ask me to show them. I shall use it on the roof.",
      [],
      ["ines.quadros"],
    ),
    said("zsofi", "She is right about the size of the letters."),
    said(
      "meenakshi",
      "The empty field without a border is the same as a board without coordinates. The player knows that there is a square; he can't say which one.",
    ),
  ],
  "Things I looked up again this week": [
    said("chidinma", "justify is the one that isn't align. Happy to help."),
    said("ngoc.hanh", "On most layouts: dead key, then a. But did she say why she needed an à at all?", [
      said(
        "ines.quadros",
        'She was writing to her daughter. "À espera de ti." I looked out of the window for the rest of the way.',
        [],
        ["ngoc.hanh", "mina", "nasrin"],
      ),
    ]),
  ],
  "I run a button shop and I made a web page": [
    said(
      "ines.quadros",
      "This is the best first page I've seen, and I have seen many. Do you know that it works without any CSS on a phone, in print, and for somebody who can't see? Most people spend years getting back to where you are.",
      [
        said("malika", "Thank you! But my nephew says it looks like a receipt.", [
          said("ines.quadros", "Receipts are very good design.", [
            said("zsofi", "I can confirm this.", [], ["ines.quadros", "malika"]),
          ]),
        ]),
      ],
      ["malika", "chidinma", "mina"],
    ),
    said(
      "chidinma",
      "Release 1.0.1: fix cat detection in rain.",
      [
        said(
          "malika",
          "Today she sleeps on the scale. So we are open but I can't weigh anything.",
          [said("chidinma", "Degraded service. Put it on the page.", [], ["malika", "ines.quadros"])],
          ["chidinma", "meenakshi"],
        ),
      ],
      ["malika", "ines.quadros", "annelies", "yuki.h"],
    ),
    said("yuki.h", "I would like to see a photograph of the green door."),
    said(
      "annelies",
      'I do the same with the arch: "second arch, mind the pigeon". People find the pigeon before they find me.',
    ),
    said(
      "ngoc.hanh",
      "Three pages and a line of links is exactly right. Please write *O‘zbekcha* and *Русский* on the links in the language itself, then nobody has to know English to leave English.",
      [
        said(
          "malika",
          'I had "Uzbek" and "Russian". It\'s changed now. My neighbour read it and said finally.',
          [],
          ["ngoc.hanh", "ines.quadros"],
        ),
      ],
      ["malika", "ines.quadros"],
    ),
  ],
  "CSS is a shop window": [
    said("zsofi", "Did goods ever fly in from the left? Yes. Once. The shelf broke."),
    said(
      "ines.quadros",
      "max-width: 34rem is a better decision than most design systems contain.",
      [said("malika", "I measured a page of a book I like.")],
      ["chidinma"],
    ),
    said(
      "mina",
      '"My nephew said mm." I teach swimming to fifteen-year-olds and would like this on a towel.',
    ),
  ],
  "Seventeen customers and one bug": [
    said("chidinma", "Filed under: things I have shipped as well. Mine was a cron job, and it was payroll.", [
      said("malika", "What happened?"),
      said(
        "chidinma",
        "Nothing happened. That was the problem.",
        [],
        ["ines.quadros", "malika", "meenakshi"],
      ),
    ]),
    said("tobias", "Is there a public holiday in it."),
    said(
      "malika",
      "Update: the copper man is not in the computer. He took it well. He says the computer is new.",
    ),
    said(
      "meenakshi",
      "In Java the week begins on Monday and Monday is 1. There is a language for you after all.",
      [
        said(
          "stoyan",
          "In Java there is also the old Calendar, where Sunday is 1. Don't let her sell you a house without a cellar.",
          [],
          ["chidinma"],
        ),
      ],
    ),
  ],
  "What a button costs": [
    said(
      "annelies",
      "I showed this to a customer who wanted a discount on a spoke. He paid, and then he asked where on my wall the acorns are counted.",
      [],
      ["malika"],
    ),
    said(
      "kwabena",
      'The line "the ones that nobody buys for ten years" is missing in nearly every plan I have been shown by grown businessmen.',
      [said("malika", "It is the biggest drawer.", [], ["kwabena"])],
      ["malika", "zsofi"],
    ),
    said("yuki.h", "390 lions now. I hope she sewed it on somewhere."),
  ],
  "The man who returns one button a year": [
    said("mina", "I read it on the tram and missed my stop, and I'm not even sorry."),
    said(
      "gethin",
      "What happens when he brings the last one?",
      [
        said(
          "malika",
          "I have thought about this. I will say the coat needs six.",
          [],
          ["gethin", "mina", "ines.quadros", "nasrin", "annelies", "zsofi"],
        ),
      ],
      ["mina"],
    ),
  ],
  "Your Express error handler has four arguments. Count them.": [
    said("ines.quadros", "The last sentence is why I read you."),
    said(
      "meenakshi",
      "A function that is a different thing according to how many parameters it was *declared* with! I read it to the staff room. The Java people are still talking.",
      [
        said(
          "chidinma",
          "Wait until they hear what happens with a default parameter. `(err, req, res, next = noop)` has length 3.",
          [
            said(
              "meenakshi",
              "Please stop. Mr Fernandes has put down his tea.",
              [],
              ["chidinma", "ines.quadros"],
            ),
          ],
        ),
      ],
      ["chidinma"],
    ),
    said("malika", "So the server counts the customers' fingers before it lets them in?", [
      said("chidinma", "It counts the fingers and then gives them a different job. Yes.", [], ["malika"]),
    ]),
    said("ines.quadros", "Why was staging... no. Why was one live machine not on production?", [
      said("chidinma", "It was built by hand in 2020 by somebody in a hurry.", [
        said("ines.quadros", "Paulo?", [
          said("chidinma", "Everyone has a Paulo. Ours makes candles.", [
            said("ines.quadros", "In the Azores?", [
              said("chidinma", "Wigan.", [], ["ines.quadros", "gethin", "meenakshi", "mina"]),
            ]),
          ]),
        ]),
      ]),
    ]),
  ],
  "The index we forgot": [
    said("meenakshi", "Shop 17 deserves a small plaque."),
    said(
      "ines.quadros",
      'How did you explain "equality, sort, range" to the others? I always mix up the last two.',
      [
        said(
          "chidinma",
          "Street, then the order of the houses, then which houses you'd knock at. You walk past houses. You don't walk past them twice.",
          [],
          ["ines.quadros", "malika"],
        ),
      ],
    ),
    said(
      "stoyan",
      "Fifty times is generous. In my program I look at every sighting for every sighting. But it is only 30 people and I have time.",
    ),
  ],
  "Graceful shutdown, or how to close a shop": [
    said(
      "malika",
      "5. Count the till. 6. Call the cat. She must be inside or she screams at the copper shop all night.",
      [said("chidinma", "The cat is the connection pool.", [], ["malika", "ines.quadros"])],
      ["chidinma"],
    ),
    said("zsofi", "I turn the sign and go to the back. If someone stands in the shop by then, they sweep."),
  ],
  "I read a 9 GB file on a laptop with 8": [
    said("yuki.h", "The tea is part of the method, I think."),
    said(
      "kwabena",
      "Pence. Thank you. I once lost an afternoon to 0.30000000000000004 of a cedi.",
      [],
      ["chidinma"],
    ),
  ],
  "Postmortem: the Tuesday the cart forgot": [
    said("ines.quadros", "What about removing a line? Two tabs, both remove.", [
      said(
        "chidinma",
        "$pull by line id. Taking away what's already gone does nothing, so it may run twice.",
      ),
    ]),
    said("tobias", "Did the customer get the teapot."),
    said("chidinma", "The customer got the teapot.", [], ["tobias", "malika", "zsofi"]),
  ],
  "Nineteen students, one NullPointerException": [
    said(
      "chidinma",
      '"One looks at somebody who walked to school barefoot." I remember the four dots. I used to split the line into four lines, deploy, and wait for it to happen again.',
      [said("meenakshi", "We have all done that. I did it on a Friday.")],
      ["meenakshi"],
    ),
    said(
      "stoyan",
      "The box is not there. This boy should write the manual.",
      [
        said(
          "meenakshi",
          "I told him you said so. He has written it on his pencil case.",
          [],
          ["stoyan", "chidinma", "nasrin"],
        ),
      ],
      ["meenakshi", "nasrin"],
    ),
    said("solveig", "And? Should a person who is absent get zero?", [
      said(
        "meenakshi",
        "The class voted. Absent is null, and null is entered as a dash, and the dash must bring a letter from home.",
      ),
    ]),
  ],
  "Teaching loops with idli": [
    said(
      "nasrin",
      "Selvi is right and I shall never explain zero in any other way. It is also how many floors lie under the ground floor, so now I shall think of her in every lift.",
      [said("ines.quadros", "On the rés-do-chão we have waited a long time for this proof.", [], ["nasrin"])],
      ["meenakshi", "ines.quadros"],
    ),
    said("zsofi", "55 g per piece. Good. Somebody who weighs.", [], ["meenakshi"]),
    said("yuki.h", "What happened with the smoke detector?", [
      said(
        "meenakshi",
        "The fire brigade came, six men. There were forty-seven idli. It was nearly a division without remainder.",
        [],
        ["yuki.h", "ciaran", "gethin", "nasrin", "solveig", "zsofi"],
      ),
    ]),
  ],
};
