/** What people can be interested in, for `/select-interests` (specification, 3); interests of one's own come on top, in the settings. */
export interface InterestGroup {
  name: string;
  topics: readonly string[];
}

export const interestGroups: readonly InterestGroup[] = [
  {
    name: "Tech & Development",
    topics: [
      "Web Development", "Programming", "JavaScript", "React", "Node Js", "Express", "MongoDb", "HTML", "CSS", "Java", "Python", "Rust",
      "Databases", "Open Source", "DevOps", "Cloud Computing", "Cybersecurity", "Artificial Intelligence", "Data Science", "Mobile Apps",
      "Game Development", "Robotics", "Gadgets",
    ],
  },
  {
    name: "Creative Arts",
    topics: [
      "Writing", "Poetry", "Photography", "Painting", "Drawing", "Illustration", "Graphic Design", "Typography", "Music Making", "Singing",
      "Dance", "Theatre", "Filmmaking", "Animation", "Sculpture", "Ceramics", "Architecture", "Calligraphy",
    ],
  },
  {
    name: "Lifestyle & Wellness",
    topics: [
      "Fitness", "Yoga", "Meditation", "Mental Health", "Nutrition", "Healthy Eating", "Sleep", "Self Care", "Relationships", "Parenting",
      "Family", "Home Decor", "Fashion", "Beauty", "Minimalism", "Travel", "Productivity", "Ageing Well",
    ],
  },
  {
    name: "Entertainment & Media",
    topics: [
      "Movies", "Television", "Documentaries", "Anime", "Comics", "Books", "Pop Music", "Classical Music", "Jazz", "Podcasts", "Radio",
      "Video Games", "Stand-up Comedy", "Celebrities", "Journalism", "Social Media",
    ],
  },
  {
    name: "Sports & Outdoors",
    topics: [
      "Football", "Cricket", "Basketball", "Tennis", "Badminton", "Volleyball", "Rugby", "Hockey", "Running", "Cycling", "Swimming", "Climbing",
      "Hiking", "Camping", "Skiing", "Surfing", "Sailing", "Fishing", "Martial Arts", "Motorsport", "Athletics",
    ],
  },
  {
    name: "Academics & Learning",
    topics: [
      "Mathematics", "Physics", "Chemistry", "Biology", "Astronomy", "Medicine", "Engineering", "History", "Archaeology", "Geography",
      "Philosophy", "Psychology", "Linguistics", "Literature", "Languages", "Economics", "Law", "Teaching", "Study Tips", "Student Life",
    ],
  },
  {
    name: "Business & Finance",
    topics: [
      "Entrepreneurship", "Startups", "Small Business", "Freelancing", "Marketing", "Sales", "Leadership", "Management", "Careers",
      "Remote Work", "Personal Finance", "Investing", "Stock Market", "Cryptocurrency", "Real Estate", "Accounting", "E-commerce",
    ],
  },
  {
    name: "Causes & Society",
    topics: [
      "Climate", "Environment", "Sustainability", "Animal Welfare", "Human Rights", "Equality", "Feminism", "Accessibility", "Education",
      "Public Health", "Volunteering", "Charity", "Politics", "Democracy", "Local Community", "Religion", "Privacy",
    ],
  },
  {
    name: "Hobbies & Fun",
    topics: [
      "Chess", "Board Games", "Puzzles", "Cooking", "Baking", "Coffee", "Gardening", "Houseplants", "Pets", "Birdwatching", "Knitting",
      "Sewing", "Woodworking", "Crafts", "Model Making", "Collecting", "Magic Tricks", "Astrology", "Cars", "Trains", "Genealogy",
    ],
  },
];

/** The fixed search links beside the feed (specification, 9). */
export const recommendedTopics = ["React", "Node Js", "Express", "MongoDb", "HTML", "CSS", "JavaScript", "Java", "Python"] as const;
