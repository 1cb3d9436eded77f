/** One inhabitant of the demo town. */
export interface DemoPerson {
  username: string;
  name: string;
  /** At most 160 characters. */
  bio: string;
  /** `<username>@reprise.example`, an address that reaches nobody. */
  email: string;
  interests: string[];
  private: boolean;
  showLikedBlogs: boolean;
  showSavedBlogs: boolean;
  showFollowers: boolean;
  /** Usernames this person follows; where the account is private, it has accepted. */
  follows: string[];
  /** Usernames of private accounts this person has asked and that have not answered. */
  requests: string[];
  /** One of the logins that the sign-in page of the demo offers. */
  sample?: true;
}

const open = {
  private: false,
  showLikedBlogs: true,
  showSavedBlogs: true,
  showFollowers: true,
  requests: [],
};
const closed = { ...open, private: true, showLikedBlogs: false, showSavedBlogs: false };

const town: Omit<DemoPerson, "email">[] = [
  {
    ...open,
    username: "ines.quadros",
    name: "Inês Quadros",
    bio: "Front-end developer in Porto. HTML first, then the rest. My grandmother tests everything.",
    interests: ["web development", "react", "css", "html", "accessibility", "choir", "baking"],
    follows: [
      "malika",
      "chidinma",
      "mina",
      "ngoc.hanh",
      "zsofi",
      "solveig",
      "kwabena",
      "meenakshi",
      "yuki.h",
    ],
    sample: true,
  },
  {
    ...closed,
    username: "solveig",
    name: "Sólveig Ásta Brandsdóttir",
    bio: "Mother of Hekla and Katla, 4¾. Organist when they sleep. Private, because they are not mine to publish.",
    interests: ["parenting", "twins", "choir", "languages", "trains"],
    follows: ["mina", "gethin", "ciaran", "ines.quadros", "nasrin", "meenakshi", "chidinma"],
    requests: ["kwabena"],
    sample: true,
  },
  {
    ...open,
    username: "malika",
    name: "Malika Tursunboyeva",
    bio: "Buttons, thread, needles, zips. The green door after the copper shop. If the cat is in the window, we are open.",
    interests: ["shop", "html", "css", "javascript", "beginners", "finance"],
    follows: ["ines.quadros", "chidinma", "kwabena", "annelies", "zsofi"],
    requests: ["solveig"],
    sample: true,
  },
  {
    ...open,
    username: "chidinma",
    name: "Chidinma Okwuosa",
    bio: "Back end. Node.js, MongoDB, second soprano. I measure before I have an opinion.",
    interests: ["nodejs", "express", "mongodb", "performance", "choir", "finance", "sourdough"],
    showSavedBlogs: false,
    follows: [
      "ines.quadros",
      "malika",
      "mina",
      "meenakshi",
      "stoyan",
      "kwabena",
      "solveig",
      "zsofi",
      "nasrin",
    ],
  },
  {
    ...open,
    username: "nasrin",
    name: "نسرین باغستانی",
    bio: "An eight-inch mirror on a flat roof. If you hear the ladder, come up. ستاره‌ها عجله ندارند",
    interests: ["astronomy", "python", "neighbours", "film", "birds", "choir"],
    follows: ["yuki.h", "meenakshi", "tobias", "mina", "ngoc.hanh", "ciaran"],
    requests: ["stoyan"],
  },
  {
    ...open,
    username: "tobias",
    name: "Tobias Ekelund-Rask",
    bio: "Night trains.",
    interests: ["nighttrains", "travel", "birds", "food"],
    showLikedBlogs: false,
    follows: ["stoyan", "yuki.h", "nasrin", "annelies"],
    requests: ["solveig"],
  },
  {
    ...open,
    username: "mina",
    name: "Wilhelmina Theodora Maximiliane von Hohenstetten-Brackwitz",
    bio: "Alto. Yes, all of it. Mina will do.",
    interests: ["choir", "singing", "names", "nighttrains", "baking", "parenting"],
    follows: ["chidinma", "solveig", "gethin", "zsofi", "ines.quadros", "tobias", "ciaran"],
  },
  {
    ...open,
    username: "gethin",
    name: "Gethin Pryce-Rowlands",
    bio: "Kit man, Llanfedwen Athletic (tier 11). Father of a linesman. If it's about the blue sock, message me.",
    interests: ["football", "wales", "parenting", "laundry", "languages", "allotment"],
    follows: ["ciaran", "mina", "ngoc.hanh", "solveig", "kwabena", "annelies", "tobias"],
  },
  {
    ...open,
    username: "meenakshi",
    name: "Meenakshi Sundaravadivel",
    bio: "Teaches Java and Python in Madurai before lunch, runs a chess club after. The cat is not a spectator.",
    interests: ["java", "python", "teaching", "chess", "astronomy", "birds", "parenting"],
    follows: ["nasrin", "stoyan", "chidinma", "solveig", "ines.quadros", "ngoc.hanh"],
  },
  {
    ...open,
    username: "annelies",
    name: "Annelies Vroomkoning",
    bio: "Bicycle repair under the second railway arch, Groningen. Looking is free. Bring the acorn.",
    interests: ["bicycle", "repair", "shop", "nighttrains", "football"],
    follows: ["malika", "tobias", "gethin", "zsofi", "yuki.h"],
    requests: ["solveig", "stoyan"],
  },
  {
    ...open,
    username: "yuki.h",
    name: "本間ゆき",
    bio: "フィルム写真。待つこと。Film photographs, mostly of waiting.",
    interests: ["film", "photography", "birds", "cats", "nighttrains", "日本語"],
    follows: ["nasrin", "stoyan", "tobias", "malika", "ines.quadros"],
    requests: ["kwabena"],
  },
  {
    ...open,
    username: "ciaran",
    name: "Ciarán Ó Dubhlainn",
    bio: "Plot 14b. Beans, mostly. I'll talk to you over the fence as long as you like.",
    interests: ["allotment", "gardening", "baking", "birds", "food", "football"],
    follows: ["zsofi", "gethin", "stoyan", "solveig", "mina", "malika"],
  },
  {
    ...open,
    username: "zsofi",
    name: "Zsófia Kárpáthegyi",
    bio: "Bread, in grams. Open 6:00, sold out about 11.",
    interests: ["baking", "bread", "sourdough", "shop", "finance", "choir"],
    showFollowers: false,
    follows: ["mina", "ciaran", "malika", "kwabena", "solveig"],
  },
  {
    ...open,
    username: "ngoc.hanh",
    name: "Lê Thị Ngọc Hạnh",
    bio: "Seven languages, none finished. Hà Nội. Currently: Welsh, from a kit man.",
    interests: ["languages", "welsh", "portuguese", "books", "vietnamese", "travel"],
    follows: ["gethin", "ines.quadros", "stoyan", "yuki.h", "nasrin", "malika"],
    requests: ["solveig"],
  },
  {
    ...closed,
    username: "stoyan",
    name: "Стоян Каменаров",
    bio: "Птици. Birds, some Java. I don't say where.",
    interests: ["birds", "nature", "java", "nighttrains"],
    showFollowers: false,
    follows: ["tobias", "meenakshi", "ciaran", "yuki.h"],
  },
  {
    ...closed,
    username: "kwabena",
    name: "Kwabena Frimpong-Adu",
    bio: "140 buses by day, one salary by night. Brown envelopes. Fried fish on the last of the month.",
    interests: ["finance", "budget", "nighttrains", "football", "choir", "shop"],
    showLikedBlogs: true,
    follows: ["chidinma", "malika", "gethin", "tobias", "zsofi", "meenakshi"],
  },
];

/** Everyone in the demo town; the sample logins come first. */
export const people: DemoPerson[] = town.map((person) => ({
  ...person,
  email: `${person.username}@reprise.example`,
}));
