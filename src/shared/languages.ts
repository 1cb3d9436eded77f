/** The languages offered for a blog, by tag, in their own names. */
export const languageNames: Readonly<Record<string, string>> = {
  af: "Afrikaans",
  ar: "العربية",
  az: "Azərbaycanca",
  be: "Беларуская",
  bg: "Български",
  bn: "বাংলা",
  ca: "Català",
  cs: "Čeština",
  cy: "Cymraeg",
  da: "Dansk",
  de: "Deutsch",
  el: "Ελληνικά",
  en: "English",
  eo: "Esperanto",
  es: "Español",
  et: "Eesti",
  eu: "Euskara",
  fa: "فارسی",
  fi: "Suomi",
  fr: "Français",
  ga: "Gaeilge",
  gl: "Galego",
  he: "עברית",
  hi: "हिन्दी",
  hr: "Hrvatski",
  hu: "Magyar",
  id: "Bahasa Indonesia",
  is: "Íslenska",
  it: "Italiano",
  ja: "日本語",
  ka: "ქართული",
  kk: "Қазақ тілі",
  ko: "한국어",
  lt: "Lietuvių",
  lv: "Latviešu",
  mk: "Македонски",
  nb: "Norsk bokmål",
  nl: "Nederlands",
  nn: "Nynorsk",
  pl: "Polski",
  pt: "Português",
  ro: "Română",
  ru: "Русский",
  sk: "Slovenčina",
  sl: "Slovenščina",
  sr: "Српски",
  sv: "Svenska",
  sw: "Kiswahili",
  ta: "தமிழ்",
  te: "తెలుగు",
  th: "ไทย",
  tl: "Tagalog",
  tr: "Türkçe",
  uk: "Українська",
  ur: "اردو",
  vi: "Tiếng Việt",
  zh: "中文",
};

/** Returns a language tag (BCP 47) in its canonical form; null if invalid. */
export function languageTag(value: string): string | null {
  if (!/^[a-z]{2,3}(-[a-z\d]{2,8}){0,4}$/i.test(value)) return null;
  try {
    const [tag = ""] = Intl.getCanonicalLocales(value);
    return tag.length <= 35 ? tag : null;
  } catch {
    return null;
  }
}
