import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../src/client/app/routes.ts";
import { newId } from "../../src/server/ids.ts";
import { appRouter } from "../../src/server/router.ts";
import { insertUser } from "../../src/server/users/queries.ts";
import { messages } from "../../src/shared/errors.ts";
import { interestGroups } from "../../src/shared/interests.ts";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { paint, send } from "../support/pictures.ts";
import { aBlog, aComment, listen, password, startTown, until, watch, type Browser, type Resident, type Town } from "../support/town.ts";

/*
 * Every procedure, every call of /api/v1, every page and every live topic, for everybody. One letter for each of: a guest, a
 * stranger, somebody whose request waits, a follower, a follower who was dropped, the author, an administrator (who has no
 * rights that others lack). Public accounts have no requests: there the third is one more stranger.
 *
 *   y  it works, or is in the list            u  sign in first (401, a page leads to /signin)
 *   n  looks absent (404, or not in the list) f  refused (403)
 *   b  makes no sense (400)                   r  the page leads elsewhere
 *   c  a profile without its blogs            w / a  follows now / has asked to
 *   -  there is no such case
 */

const ofBlogs = `
                                     account: public             account: private
                                     public  private draft       public  private draft
  blogs.bySlug                       yyyyyyy nnnynyn nnnnnyn     nnnynyn nnnynyn nnnnnyn
  blogs.card                         yyyyyyy nnnynyn nnnnnyn     nnnynyn nnnynyn nnnnnyn
  blogs.list                         yyyyyyy nnnynyn nnnnnnn     nnnynyn nnnynyn nnnnnnn
  blogs.list by likes                yyyyyyy nnnynyn nnnnnnn     nnnynyn nnnynyn nnnnnnn
  blogs.byAuthor, blogs              yyyyyyy nnnnnnn nnnnnnn     nnnynyn nnnnnnn nnnnnnn
  blogs.byAuthor, private            fffyfyf fffyfyf fffyfyf     fffyfyf fffyfyf fffyfyf not draft
  blogs.byAuthor, drafts             fffffyf fffffyf fffffyf     fffffyf fffffyf fffffyf only draft
`;
void ofBlogs;
