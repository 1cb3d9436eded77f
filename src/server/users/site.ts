import type { SiteFacts } from "../../shared/users.ts";
import type { Parts } from "../context.ts";
import { peopleTopic } from "../live/signals.ts";
import { avatarPath } from "../media/paths.ts";
import { signUpQuestion } from "./signup-policy-queries.ts";
import { currentSignupMode } from "./signup-policy.ts";
import { storedSite } from "./site-queries.ts";

const tagline = "Write. Inspire. Repeat.";

/** What pages need to know of the site. */
export async function siteFacts({
  config,
  database,
}: Pick<Parts, "config" | "database">): Promise<SiteFacts> {
  const { read } = database;
  const { name, description, picture, accent, language, terms, privacy, sheet, writers } =
    await storedSite(read);
  const signUp = await currentSignupMode(read);
  return {
    name: name ?? config.givenName,
    description: description ?? tagline,
    picture: avatarPath(picture ?? null),
    language: language ?? "en",
    sheets: [...(accent ? [accentPath(accent)] : []), ...(sheet ? [`/static/sheet-${sheet}.css`] : [])],
    terms: since(terms),
    privacy: since(privacy),
    writersChosen: writers === "approved",
    docsUrl: config.docsUrl,
    publicUrl: config.publicUrl,
    google: config.google !== undefined,
    keepsMail: config.smtpUrl === undefined,
    signUp,
    question: signUp === "approval" ? await signUpQuestion(read) : "",
    samples: config.samples,
  };
}

const since = (at: string | undefined): string | null => (at ? new Date(Number(at)).toISOString() : null);
const accentPath = (color: string): string => `/static/accent-${color.slice(1)}.css`;

/**
 * Has letters and everything else that names the site by its settings say what administrators named it, from now on and
 * whoever changes it, a command beside the server too. Returns what stops it.
 */
export async function followSiteName({
  config,
  database,
  bus,
  log,
}: Pick<Parts, "config" | "database" | "bus" | "log">): Promise<() => void> {
  const look = async () => {
    config.siteName = (await storedSite(database.read)).name ?? config.givenName;
  };
  await look();
  return bus.listen(
    peopleTopic,
    () =>
      void look().catch((error: unknown) => log.error({ err: error }, "the site's name could not be read")),
  );
}
