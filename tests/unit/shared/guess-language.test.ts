import { expect, test } from "vitest";
import { guessLanguage } from "../../../src/shared/guess-language.ts";
import { languageNames, languageTag } from "../../../src/shared/languages.ts";
import type { DocumentJson } from "../../../src/shared/document/schema.ts";
import { paragraphs } from "../../support/sample-content.ts";

const samples: Record<string, string> = {
  ar: "يسمع المرء البوم غالبا وبين الحين والآخر قطارا. وفي يوم الأحد يأتي السوق إلى الساحة وتفوح في الشارع كله رائحة الخبز والقهوة حتى الظهر.",
  cs: "Je slyšet hlavně sovy a tu a tam vlak. V neděli přijede na náměstí trh a celá ulice voní až do poledne chlebem a kávou.",
  da: "Man hører mest ugler og en gang imellem et tog. Om søndagen kommer markedet til torvet, og hele gaden dufter af brød og kaffe indtil middag.",
  de: "Man hört vor allem Eulen und ab und zu einen Zug. Am Sonntag kommt der Markt auf den Platz, und die ganze Straße riecht bis zum Mittag nach Brot und Kaffee.",
  el: "Ακούει κανείς κυρίως κουκουβάγιες και πότε πότε ένα τρένο. Τις Κυριακές η αγορά έρχεται στην πλατεία και όλος ο δρόμος μυρίζει ψωμί.",
  en: "One hears owls, mostly, and now and then a train. On Sundays the market comes to the square, and the whole street smells of bread and coffee.",
  es: "Se oyen sobre todo búhos y de vez en cuando un tren. Los domingos llega el mercado a la plaza y toda la calle huele a pan y a café.",
  fi: "Kuulee enimmäkseen pöllöjä ja silloin tällöin junan. Sunnuntaisin tori tulee aukiolle, ja koko katu tuoksuu puoleenpäivään asti leivältä.",
  fr: "On entend surtout des chouettes, et de temps en temps un train. Le dimanche, le marché s’installe sur la place et toute la rue sent le pain.",
  he: "שומעים בעיקר ינשופים ומדי פעם רכבת. ביום ראשון השוק מגיע לכיכר וכל הרחוב מריח עד הצהריים מלחם וקפה חזק מאוד.",
  hu: "Leginkább baglyokat hallani, és néha egy vonatot. Vasárnaponként piac van a téren, és az egész utca délig kenyértől és kávétól illatozik.",
  it: "Si sentono soprattutto gufi e ogni tanto un treno. La domenica il mercato arriva in piazza e tutta la strada profuma di pane e caffè.",
  ja: "フクロウの声がよく聞こえ、ときどき電車の音がする。日曜日には広場に市が立ち、昼まで通り全体がパンとコーヒーの香りに包まれる。",
  nl: "Je hoort vooral uilen en af en toe een trein. Op zondag komt de markt naar het plein en ruikt de hele straat tot de middag naar brood.",
  pl: "Słychać głównie sowy, a od czasu do czasu pociąg. W niedziele na plac przyjeżdża targ i cała ulica pachnie chlebem i kawą aż do południa.",
  pt: "Ouvem-se sobretudo corujas e, de vez em quando, um comboio. Aos domingos o mercado chega à praça e toda a rua cheira a pão e a café.",
  ru: "Слышны в основном совы и иногда поезд. По воскресеньям на площадь приезжает рынок, и вся улица до полудня пахнет хлебом и кофе.",
  tr: "Çoğunlukla baykuşlar ve arada bir tren duyulur. Pazar günleri meydana pazar kurulur ve bütün sokak öğleye kadar ekmek ve kahve kokar.",
  uk: "Чути переважно сов, а інколи потяг. Щонеділі на площу приїжджає ринок, і вся вулиця до полудня пахне хлібом і кавою.",
  vi: "Người ta chủ yếu nghe thấy cú và thỉnh thoảng một chuyến tàu. Chủ nhật chợ họp ở quảng trường và cả con phố thơm mùi bánh mì.",
  zh: "多半听到猫头鹰的叫声，偶尔还有火车。星期天集市来到广场，整条街直到中午都飘着面包和咖啡的香味。",
};

const documentOf = (...texts: string[]) => paragraphs(...texts) as DocumentJson;

test("guesses the language of two sentences", async () => {
  const guesses: Record<string, string> = {};
  for (const [tag, text] of Object.entries(samples)) guesses[tag] = await guessLanguage(documentOf(text));
  expect(guesses).toEqual(Object.fromEntries(Object.keys(samples).map((tag) => [tag, tag])));
  for (const tag of Object.keys(samples)) expect(Object.keys(languageNames)).toContain(tag);
});

test("guesses the language of a text whose names and foreign words look like other languages", async () => {
  const texts = {
    en: "In Llanfedwen the goal is a gate, and the ref is my aunt Sioned. Dafydd kicked it over the wall of the pub, into a field, and it is still there. We lost to the rain, one to four, with the sheep on their side.",
    fr: "Hier soir, j’ai lu un article sur Kubernetes et Docker dans le cloud d’Amazon. Le cluster tombe, le pod redémarre, et personne ne sait pourquoi les logs sont vides.",
    nb: "Katten min sover på stolen og vil ikke gå. Jeg jobber med React og TypeScript hver dag, men katten bryr seg ikke om noe av det.",
  };
  for (const [tag, text] of Object.entries(texts))
    expect(await guessLanguage(documentOf(text)), text).toBe(tag);
});

test("guesses nothing of a few words, of no language and of code", async () => {
  const texts = [
    "",
    "Owls.",
    "1 2 3 4 5 6 7 8 9 10 ".repeat(40),
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.",
    "word ".repeat(100),
    "xqz vwk plrt zzgh qwrt mnbv klpo xqz vwk plrt zzgh qwrt mnbv klpo hghg tztz ururu asas lolo vvvv",
  ];
  for (const text of texts) expect(await guessLanguage(documentOf(text)), text).toBe("");
  const code = { type: "code_block", content: [{ type: "text", text: samples.en! }] };
  expect(await guessLanguage({ type: "doc", content: [code] })).toBe("");
  expect(await guessLanguage({ type: "doc", content: [code, ...paragraphs(samples.de!).content] })).toBe(
    "de",
  );
});

test("normalizes a language tag, and refuses what is none", () => {
  expect(["EN", "pt-br", "zh-hant-tw", "sr-Latn"].map(languageTag)).toEqual([
    "en",
    "pt-BR",
    "zh-Hant-TW",
    "sr-Latn",
  ]);
  for (const tag of ["english", "e", "en_GB", "en-", "de<b>", "x-owl", "en-a", `en-${"owlowl-".repeat(9)}a`])
    expect(languageTag(tag), tag).toBeNull();
});
