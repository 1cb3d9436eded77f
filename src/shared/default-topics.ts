/** The specification's topics (docs/specification.md, 9.18 and 3.15), in the form that administrators write theirs in. */
export const defaultTopics = [
  "React",
  "Node Js",
  "Express",
  "MongoDb",
  "HTML",
  "CSS",
  "JavaScript",
  "Java",
  "Python",
].join("\n");

export const defaultGroups = [
  "Tech & Development: Web Development, Programming, JavaScript, React, Node Js, Express, MongoDb, HTML, CSS, Java, Python, Rust, Databases, Open Source, DevOps, Cloud Computing, Cybersecurity, Artificial Intelligence, Data Science, Mobile Apps, Game Development, Robotics, Gadgets",
  "Creative Arts: Writing, Poetry, Photography, Painting, Drawing, Illustration, Graphic Design, Typography, Music Making, Singing, Dance, Theatre, Filmmaking, Animation, Sculpture, Ceramics, Architecture, Calligraphy",
  "Lifestyle & Wellness: Fitness, Yoga, Meditation, Mental Health, Nutrition, Healthy Eating, Sleep, Self Care, Relationships, Parenting, Family, Home Decor, Fashion, Beauty, Minimalism, Travel, Productivity, Ageing Well",
  "Entertainment & Media: Movies, Television, Documentaries, Anime, Comics, Books, Pop Music, Classical Music, Jazz, Podcasts, Radio, Video Games, Stand-up Comedy, Celebrities, Journalism, Social Media",
  "Sports & Outdoors: Football, Cricket, Basketball, Tennis, Badminton, Volleyball, Rugby, Hockey, Running, Cycling, Swimming, Climbing, Hiking, Camping, Skiing, Surfing, Sailing, Fishing, Martial Arts, Motorsport, Athletics",
  "Academics & Learning: Mathematics, Physics, Chemistry, Biology, Astronomy, Medicine, Engineering, History, Archaeology, Geography, Philosophy, Psychology, Linguistics, Literature, Languages, Economics, Law, Teaching, Study Tips, Student Life",
  "Business & Finance: Entrepreneurship, Startups, Small Business, Freelancing, Marketing, Sales, Leadership, Management, Careers, Remote Work, Personal Finance, Investing, Stock Market, Cryptocurrency, Real Estate, Accounting, E-commerce",
  "Causes & Society: Climate, Environment, Sustainability, Animal Welfare, Human Rights, Equality, Feminism, Accessibility, Education, Public Health, Volunteering, Charity, Politics, Democracy, Local Community, Religion, Privacy",
  "Hobbies & Fun: Chess, Board Games, Puzzles, Cooking, Baking, Coffee, Gardening, Houseplants, Pets, Birdwatching, Knitting, Sewing, Woodworking, Crafts, Model Making, Collecting, Magic Tricks, Astrology, Cars, Trains, Genealogy",
].join("\n");
