/** The most frequent words of languages in the Latin script, without those that many of them share. */
const words: Record<string, string> = {
  af: "die en van het nie wat ek hy vir was met om te dit word ook",
  az: "və bir bu üçün ilə da də ki o çox nə ən sonra kimi daha isə",
  ca: "el els les de i que en un una per amb no és del al com",
  cs: "a se v na je že to s z do o jako jsem ale za po už by",
  da: "og det at en er jeg ikke til på af som med har den for der",
  de: "der die das und ist nicht ein eine ich zu den mit auf für es von im",
  en: "the and of to a in is it that for was on with as but not i my you",
  eo: "la kaj de en mi estas ne al por ke tio kun oni ĝi pri ili",
  es: "el los las de que y en un una por con no se es del lo para",
  et: "ja on ei see et ka oli kui ma mis aga siis ning oma seda ta",
  fi: "ja on ei se että hän oli mutta niin kun ovat olen minä kuin myös",
  fr: "le la les de des et est un une que qui dans pour pas sur du il je",
  gl: "o a os as de que e en un unha non para con por se do da",
  hr: "i je u na da se za su od s ne sam koji što to kao bi",
  hu: "a az és hogy nem egy is van de ez azt mint meg volt csak már",
  id: "yang dan di ini itu dengan untuk dari tidak ada pada saya ke dalam",
  it: "il la che di e un una non per è con del della sono i le mi",
  lt: "ir yra kad su tai bet ne į iš ar aš tik kaip jau per",
  lv: "un ir ka no ar uz par tas bet to es kā nav bija jau",
  nb: "og det å en er jeg ikke til på av som med har den for de",
  nl: "de het een en van ik is dat niet op te in met voor zijn er aan",
  nn: "og det å ein er eg ikkje til på av som med har den for dei",
  pl: "w i na nie z się to jest że do jak o ale za co po tak",
  pt: "o a os as de que e em um uma não para com por se do da",
  ro: "și de a în la cu nu că o un pe este din mai care am",
  sk: "a sa v na je že to s z do o ako som ale za po už",
  sl: "in je na se da v za so ne s bi tudi pa ki sem po",
  sv: "och det att en är jag inte till på av som med har den för om",
  sw: "na ya wa kwa ni katika za la kuwa hii lakini yake si cha",
  tl: "ang ng sa na mga ay at ko hindi si niya ito para kung",
  tr: "ve bir bu da de için ile çok ne ama gibi daha ben o mi",
  vi: "và của là không có cho một được tôi người trong với các này",
};

const sets = new Map(Object.entries(words).map(([tag, list]) => [tag, new Set(list.split(" "))]));

/** Fewer different words prove nothing: a text can repeat one. */
const leastDifferent = 3;

/** Returns which share of a text's words, from 0 to 1, is among the most frequent of each of these languages. */
export function functionWordShares(text: string, languages: readonly string[]): [string, number][] {
  const used = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return languages.map((tag) => {
    const found = used.filter((word) => sets.get(tag)?.has(word));
    return [tag, new Set(found).size < leastDifferent ? 0 : found.length / used.length];
  });
}
