import { afterAll, onTestFinished } from "vitest";
import { startTestSite, type SignedInBrowser, type TestSite } from "./test-site.ts";

/** Has something disposed of when the running test ends, and returns it: helpers need not return how to. */
export function forThisTest<T extends AsyncDisposable>(resource: T): T {
  onTestFinished(() => resource[Symbol.asyncDispose]());
  return resource;
}

/** The same at the end of a file's tests, for what the file's beginning creates. */
function forThisFile<T extends AsyncDisposable>(resource: T): T {
  afterAll(() => resource[Symbol.asyncDispose]());
  return resource;
}

/** A site, and a signed-in person for each name. */
type SiteWith<Names extends string[]> = [TestSite, ...{ [Index in keyof Names]: SignedInBrowser }];

async function signIn<Names extends string[]>(testSite: TestSite, names: Names): Promise<SiteWith<Names>> {
  const people: SignedInBrowser[] = [];
  for (const name of names) people.push(await testSite.createAccount(name));
  return [testSite, ...people] as SiteWith<Names>;
}

/** Starts a site for the running test, and signs people of these names in. The first is its administrator. */
export const siteWith = async <const Names extends string[]>(...names: Names): Promise<SiteWith<Names>> =>
  signIn(forThisTest(await startTestSite()), names);

/** The same for all tests of a file. */
export const sharedSiteWith = async <const Names extends string[]>(
  ...names: Names
): Promise<SiteWith<Names>> => signIn(forThisFile(await startTestSite()), names);
