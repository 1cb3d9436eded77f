import type { SiteInfo } from "../../shared/users.ts";
import type { Services } from "../context.ts";
import { peopleTopic } from "../live/signals.ts";
import { avatarPath } from "../media/paths.ts";
import { signUpQuestion } from "../sign-in/sign-up-policy-queries.ts";
import { currentSignupMode } from "../sign-in/sign-up-policy.ts";
import { recommendedTopics, storedSettings } from "./queries.ts";

const tagline = "Write. Inspire. Repeat.";

export async function siteFacts({
  config,
  database,
}: Pick<Services, "config" | "database">): Promise<SiteInfo> {
  const { read } = database;
  const stored = await storedSettings(read);
  const { name, description, picture, accent, language, terms, privacy, sheet, writers } = stored;
  const signUp = await currentSignupMode(read);
  return {
    name: name ?? config.givenName,
    description: description ?? tagline,
    picture: avatarPath(picture ?? null),
    language: language ?? "en",
    sheets: [...(accent ? [accentPath(accent)] : []), ...(sheet ? [`/static/sheet-${sheet}.css`] : [])],
    terms: asTime(terms),
    privacy: asTime(privacy),
    writersChosen: writers === "approved",
    docsUrl: config.docsUrl,
    publicUrl: config.publicUrl,
    topics: recommendedTopics(stored),
    google: config.google !== undefined,
    keptMail: config.smtpUrl !== undefined ? null : config.logsMailLinks ? "terminal" : "file",
    signUp,
    question: signUp === "approval" ? await signUpQuestion(read) : "",
    samples: config.samples,
  };
}

const asTime = (at: string | undefined): string | null => (at ? new Date(Number(at)).toISOString() : null);
const accentPath = (color: string): string => `/static/accent-${color.slice(1)}.css`;

/** Keeps `config.siteName` current, even if another process changes it. Returns a function to stop. */
export async function followSiteName({
  config,
  database,
  bus,
  log,
}: Pick<Services, "config" | "database" | "bus" | "log">): Promise<() => void> {
  const refreshName = async () => {
    config.siteName = (await storedSettings(database.read)).name ?? config.givenName;
  };
  await refreshName();
  return bus.listen(
    peopleTopic,
    () =>
      void refreshName().catch((error: unknown) =>
        log.error({ err: error }, "the site’s new name could not be read; the old one is used"),
      ),
  );
}
