import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../src/client/app/routes.ts";
import { appRouter } from "../../src/server/router.ts";
import {
  Refused,
  type Account,
  type Person,
  places,
  walled,
  passer,
  silenceAuthors,
  roles,
  rowsOf,
  town,
  people,
  blogs,
  authorOf,
  beside,
  unplaced,
  misplaced,
  moveEverybodyIn,
  moveEverybodyOut,
  type Outcome,
} from "../support/access/people.ts";
import { blogActs } from "../support/access/blog-acts.ts";
import { accountActs } from "../support/access/account-acts.ts";
import { aloneActs } from "../support/access/alone-acts.ts";

/*
 * Every procedure, every call of /api/v1, every page and every live topic, for everybody. One letter for each of: a guest, a
 * stranger, somebody whose request waits, a follower, a follower who was dropped, the author, an administrator (who has no
 * rights that others lack). Public accounts have no requests: there the third is one more stranger.
 *
 *   y  it works, or is in the list              u  sign in first (401; a page leads to /signin)
 *   n  looks absent (404, or not in the list)   f  refused (403)
 *   b  makes no sense (400)                     r  the page leads elsewhere
 *   c  a profile without its blogs              w  follows now, a  has asked to
 *   -  there is no such case
 */

/*                                       a public account:               a private account:
                                         public   private  draft         public   private  draft */
const withABlog = `
  GET /media/{id}: its cover             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /media/{id}: in its text           yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.bySlug                           yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.card                             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.further                          yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.readable                         yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.linked                           yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.list                             yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.list: most liked                 yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.byTag                            yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.byTag: most liked                yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.search                           yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.following                        unnynnn  unnynnn  unnnnnn       unnynnn  unnynnn  unnnnnn
  blogs.showcase                         ynnnnnn  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  blogs.recommended                      uyyyyny  unnynnn  unnnnnn       unnynnn  unnynnn  unnnnnn
  blogs.byAuthor                         yyyyyyy  nnnnnnn  nnnnnnn       nnnynyn  nnnnnnn  nnnnnnn
  blogs.byAuthor: private                fffnfnf  fffyfyf  fffnfnf       fffnfnf  fffyfyf  fffnfnf
  blogs.byAuthor: drafts                 fffffnf  fffffnf  fffffyf       fffffnf  fffffnf  fffffyf
  blogs.byAuthor: liked                  yyyyyyy  nnnynyn  nnnnnnn       fffyfyf  fffyfyf  fffnfnf
  blogs.byAuthor: saved                  fffffyf  fffffyf  fffffnf       fffffyf  fffffyf  fffffnf
  blogs.mine                             unnnnyn  unnnnyn  unnnnyn       unnnnyn  unnnnyn  unnnnyn
  blogs.forEdit                          uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.revisions                        uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.revision                         uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.deleteRevision                   uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.setCommenters                    uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.update                           uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.begin                            uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.openWriting                      uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.here                             uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.preview                          uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.commitsSince                     uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.pushCommit                       uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.setLive                          uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.discardWriting                   uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.publishWriting                   uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.authors                          uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.inviteAuthor                     uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.answerInvitation                 unnnnnn  unnnnnn  unnnnnn       unnnnnn  unnnnnn  unnnnnn
  blogs.removeAuthor                     uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.removeAuthor: oneself            uffffbf  unnfnbn  unnnnbn       unnfnbn  unnfnbn  unnnnbn
  live.follow: what is written           nnnnnyn  nnnnnyn  nnnnnyn       nnnnnyn  nnnnnyn  nnnnnyn
  live.follow: writing there             nnnnnyn  nnnnnyn  nnnnnyn       nnnnnyn  nnnnnyn  nnnnnyn
  blogs.remove                           uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  live.follow: the open blog             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.follow: its card                  yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.follow: its address               yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.follow: server-sent events        yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.since                             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  live.follow: who is at it              yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  live.follow: being at it               yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  live.follow: the feed                  yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  live.follow: what is liked             yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  comments.list                          yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  comments.replies                       yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  comments.countReplies                  uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  comments.create                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  comments.create: a reply               uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  comments.replying: it is told          uyyyyyy  unnnnnn  unnnnfn       unnnnnn  unnnnnn  unnnnfn
  comments.edit: one's own               -yyyyyy  -nnynyn  -nnnnfn       -nnynyn  -nnynyn  -nnnnfn
  comments.edit: the author's            uffff-f  unnfn-n  unnnn-n       unnfn-n  unnfn-n  unnnn-n
  comments.edit: a reader's              uffffff  unnfnfn  unnnnfn       unnfnfn  unnfnfn  unnnnfn
  comments.remove: one's own             -yyyyyy  -nnynyn  -nnnnfn       -nnynyn  -nnynyn  -nnnnfn
  comments.remove: the author's          uffff-f  unnfn-n  unnnn-n       unnfn-n  unnfn-n  unnnn-n
  comments.remove: a reader's            uffffyf  unnfnyn  unnnnfn       unnfnyn  unnfnyn  unnnnfn
  comments.like                          uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  comments.mark                          uffffyf  unnfnyn  unnnnfn       unnfnyn  unnfnyn  unnnnfn
  comments.letIn                         unnnnyn  unnnnyn  unnnnnn       unnnnyn  unnnnyn  unnnnnn
  comments.remove: one that waits        unnnnyn  unnnnyn  unnnnnn       unnnnyn  unnnnyn  unnnnnn
  moderation.report: the blog            uyyyyby  unnynbn  unnnnbn       unnynbn  unnynbn  unnnnbn
  moderation.report: a comment           uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.likeBlog                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.watching                        uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  social.watchBlog                       uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  social.saveBlog                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.place                           uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  social.keepPlace                       uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.notices: of a reply there       uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn

  GET /blogs                             yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  GET /blogs: most liked                 yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  GET /search-blogs                      yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  GET /recommended                       uyyyyny  unnynnn  unnnnnn       unnynnn  unnynnn  unnnnnn
  GET /blogs/{blogId}                    yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /blogs/{blogId}: by its id         yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /blogs/{blogId}: by cookie         yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /blogs/{blogId}: signed out        yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  GET /blogs/user/{userId}               uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  GET /users/{username}: blogs           yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /users/{username}: liked           yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  GET /users/{username}: saved           nnnnnyn  nnnnnyn  nnnnnnn       nnnnnyn  nnnnnyn  nnnnnnn
  PATCH /blogs/{blogId}                  uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  PATCH /blogs/{blogId}: by cookie       uuuuuuu  uuuuuuu  uuuuuuu       uuuuuuu  uuuuuuu  uuuuuuu
  DELETE /blogs/{blogId}                 uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  POST /blogs/like/{blogId}              uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  PATCH /save-blog/{blogId}              uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  POST /blogs/comment/{blogId}           uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  POST /comment/{commentId}/{blogId}     uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  PATCH /blogs/like-comment/{commentId}  uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  PATCH /blogs/edit-comment/{commentId}  uffffff  unnfnfn  unnnnfn       unnfnfn  unnfnfn  unnnnfn
  DELETE /blogs/comment/{commentId}      -yyyyyy  -nnynyn  -nnnnfn       -nnynyn  -nnynyn  -nnnnfn

  /feed.xml                              yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /:username/feed.xml                    yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /tag/:tag/feed.xml                     yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /search/feed.xml                       yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /sitemap-:part.xml                     yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /oembed                                yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /cards/:name                           yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /                                      yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /home                                  yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /home: most liked                      yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /search                                yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /tag/:tag                              yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /blog/:slug                            yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  /blog/:slug.md                         yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  /blog/:slug.html                       yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  /edit/:slug                            unnnnyn  unnnnyn  unnnnyn       unnnnyn  unnnnyn  unnnnyn
  /edit/:id/preview                      unnnnyn  unnnnyn  unnnnyn       unnnnyn  unnnnyn  unnnnyn
  /my-blogs                              unnnnyn  unnnnyn  unnnnyn       unnnnyn  unnnnyn  unnnnyn
  /notifications: of a reply there       uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  /:username                             yyyyyyy  nnnnnnn  nnnnnnn       nnnynyn  nnnnnnn  nnnnnnn
  /:username/:tab: private-blogs         rrrnrnr  rrryryr  rrrnrnr       rrrnrnr  rrryryr  rrrnrnr
  /:username/:tab: draft-blogs           rrrrrnr  rrrrrnr  rrrrryr       rrrrrnr  rrrrrnr  rrrrryr
  /:username/:tab: liked-blogs           yyyyyyy  nnnynyn  nnnnnnn       rrryryr  rrryryr  rrrnrnr
  /:username/:tab: saved-blogs           rrrrryr  rrrrryr  rrrrrnr       rrrrryr  rrrrryr  rrrrrnr
`;

//                                         public   private
const withAnAccount = `
  GET /media/{id}: its owner's picture   yyyyyyy  yyyyyyy
  GET /media/{id}: in a form of theirs   nnnnnyn  nnnnnyn
  users.profile                          yyyyyyy  cccycyc
  moderation.report: the person          uyyyyby  uyyyyby
  users.named                            yyyyyyy  yyyyyyy
  users.search                           yyyyyyy  yyyyyyy
  live.follow: that somebody likes it    unnnnyn  unnnnyn
  users.revokeSession: the account's     unnnnyn  unnnnyn
  imports.report: the account's          unnnnyn  unnnnyn
  imports.stop: the account's            unnnnyn  unnnnyn
  imports.undo: the account's            unnnnyn  unnnnyn
  social.people: followers               yyyyyyy  fffyfyf
  social.people: following               yyyyyyy  fffyfyf
  social.people: followers not shown     fffffyf  fffffyf
  social.follow                          uwwwwbw  uaawaba
  social.requests: who asked             unnnnnn  unnnnyn
  social.handleRequest                   unnnnnn  unnnnyn
  social.restoreRequest                  unnnnnn  unnnnyn
  social.removeFollower                  unnnnyn  unnnnyn

  GET /users/{username}                  yyyyyyy  cccycyc
  GET /users/{username}: followers       yyyyyyy  nnnynyn
  GET /users/{username}: not shown       nnnynyn  nnnynyn
  GET /users/{username}: who asked       nnnnnnn  nnynnyn
  GET /search-users                      yyyyyyy  yyyyyyy
  PATCH /follow/{userId}                 uwwwwbw  uaaaaba
  PATCH /handle-follow-request           unnnnnn  unnnnyn
  PATCH /users/{userId}                  uffffyf  uffffyf

  /search: people                        yyyyyyy  yyyyyyy
  /:username                             yyyyyyy  cccycyc
  /followers/:person                     yyyyyyy  fffyfyf
  /following/:person                     yyyyyyy  fffyfyf
  /requests: who asked                   unnnnnn  unnnnyn
`;

/** What concerns nobody but who asks. */
const alone = `
  blogs.create                           uyyyyyy
  blogs.stats                            uyyyyyy
  blogs.unfinished                       uyyyyyy
  blogs.invitations                      uyyyyyy
  moderation.queue                       ufffffy
  moderation.settle                      ufffffy
  moderation.blogs                       ufffffy
  moderation.readBlog                    ufffffy
  moderation.deleteBlog                  ufffffy
  moderation.comments                    ufffffy
  moderation.held                        ufffffy
  moderation.letInHeld                   ufffffy
  moderation.refuseHeld                  ufffffy
  moderation.restore                     ufffffy
  moderation.people                      ufffffy
  moderation.suspend                     ufffffy
  moderation.silence                     ufffffy
  moderation.makeModerator               ufffffy
  moderation.makeAdmin                   ufffffy
  moderation.verify                      ufffffy
  moderation.sendReset                   ufffffy
  moderation.deletePerson                ufffffy
  moderation.notes                       ufffffy
  moderation.addNote                     ufffffy
  moderation.removeNote                  ufffffy
  moderation.log                         ufffffy
  moderation.site                        ufffffy
  moderation.setSite                     ufffffy
  moderation.setText                     ufffffy
  moderation.jobs                        ufffffy
  moderation.numbers                     ufffffy
  moderation.disk                        ufffffy
  moderation.retryJob                    ufffffy
  moderation.discardJob                  ufffffy
  moderation.setWriter                   ufffffy
  moderation.admission                   ufffffy
  moderation.setSignUp                   ufffffy
  moderation.setQuestion                 ufffffy
  moderation.refuseSender                ufffffy
  moderation.applications                ufffffy
  moderation.admit                       ufffffy
  moderation.refuse                      ufffffy
  moderation.invite                      ufffffy
  moderation.withdraw                    ufffffy
  imports.list                           uyyyyyy
  POST /settings/import                  uyyyyyy
  blogs.embed                            uyyyyyy
  exports.state                          uyyyyyy
  exports.begin                          uyyyyyy
  exports.remove                         uyyyyyy
  push.state                             uyyyyyy
  push.subscribe                         uyyyyyy
  push.unsubscribe                       uyyyyyy
  social.readNotices                     uyyyyyy
  social.block                           uyyyyyy
  social.blocked                         uyyyyyy
  social.mute                            uyyyyyy
  social.muted                           uyyyyyy
  social.ties                            uyyyyyy
  social.noticeSettings                  uyyyyyy
  social.setNoticeWays                   uyyyyyy
  social.setZone                         uyyyyyy
  social.watched                         uyyyyyy
  social.unsubscribe                     yyyyyyy
  users.site                             yyyyyyy
  users.siteText                         yyyyyyy
  blogs.topicsInUse                      yyyyyyy
  users.sawTexts                         uyyyyyy
  users.me                               nyyyyyy
  users.sessions                         uyyyyyy
  users.beginSignUp                      yyyyyyy
  users.signUp                           yyyyyyy
  users.verifyEmail                      yyyyyyy
  users.resendVerification               yyyyyyy
  users.forgotPassword                   yyyyyyy
  users.resetPassword                    yyyyyyy
  users.signIn                           yyyyyyy
  users.signOut                          yyyyyyy
  users.revokeOtherSessions              uyyyyyy
  users.changePassword                   uyyyyyy
  users.changeEmail                      uyyyyyy
  users.followEmailLink                  yyyyyyy
  users.finishGoogle                     yyyyyyy
  users.finishGoogle: nothing begun      uuuuuuu
  users.passkeyOptions                   yyyyyyy
  users.signInWithPasskey                yyyyyyy
  users.access                           uyyyyyy
  users.ownFeed                          uyyyyyy
  users.renewOwnFeed                     uyyyyyy
  users.beginApp                         uyyyyyy
  users.confirmApp                       uyyyyyy
  users.turnAppOff                       uyyyyyy
  users.renewCodes                       uyyyyyy
  users.setPasskeyStep                   uyyyyyy
  users.beginPasskey                     uyyyyyy
  users.addPasskey                       uyyyyyy
  users.removePasskey                    uyyyyyy
  users.updateProfile                    uyyyyyy
  users.updateSettings                   uyyyyyy
  users.remove                           uyyyyyy
  users.mailRemoval                      uyyyyyy
  users.removeByMail: another's          yffffff

  POST /blogs                            uyyyyyy
  POST /signup                           yyyyyyy
  GET /verify-email/{token}              yyyyyyy
  POST /resend-verification              yyyyyyy
  POST /forgot-password                  yyyyyyy
  POST /reset-password                   yyyyyyy
  POST /signin                           yyyyyyy
  POST /signout                          uyyyyyy
  POST /google-auth: where it is not on  nnnnnnn
  PUT /user/update-interests             uyyyyyy
  PATCH /change-saved-liked-blog-visibility  uyyyyyy
  DELETE /delete-account                 uyyyyyy
  POST /upload                           uyyyyyy

  /signin                                yrrrrrr
  /signup                                yrrrrrr
  /verify-email/:token                   yyyyyyy
  /forgot-password                       yyyyyyy
  /reset-password/:token                 yyyyyyy
  /delete-account/:token                 yyyyyyy
  /change-email/:token                   yyyyyyy
  /unsubscribe/:token                    yyyyyyy
  /select-interests                      uyyyyyy
  /add-blog                              uyyyyyy
  /settings/export                       uyyyyyy
  /edit-profile                          uyyyyyy
  /settings                              uyyyyyy
  /settings/import                       uyyyyyy
  /admin                                 unnnnny
  /admin/:part                           unnnnny
  /docs                                  yyyyyyy
  /docs/api                              yyyyyyy
  /terms                                 nnnnnnn
  /privacy                               nnnnnnn
  /nobody-of-this-name                   nnnnnnn
`;

const letters: Record<string, string> = {
  NOT_FOUND: "n",
  FORBIDDEN: "f",
  UNAUTHORIZED: "u",
  BAD_REQUEST: "b",
  404: "n",
  403: "f",
  401: "u",
  400: "b",
};

/** The letter of an attempt; anything unforeseen stands there in full. */
async function letter(attempt: () => Outcome): Promise<string> {
  try {
    const outcome = await attempt();
    return typeof outcome === "string" ? outcome : outcome ? "y" : "n";
  } catch (error) {
    const code = error instanceof Refused ? error.status : (error as { data?: { code?: string } }).data?.code;
    return letters[code ?? ""] ?? `(${code ?? ""} ${String(error)})`;
  }
}

async function rowFor(expected: string, attempts: (() => Outcome)[]): Promise<string> {
  let found = "";
  for (const [index, attempt] of attempts.entries())
    found += expected[index] === "-" ? "-" : await letter(attempt);
  return found;
}

beforeAll(moveEverybodyIn);
afterAll(moveEverybodyOut);

/** Whoever asks for one gets what a guest does. */
const feeds = [
  "/feed.xml",
  "/:username/feed.xml",
  "/tag/:tag/feed.xml",
  "/search/feed.xml",
  "/sitemap-:part.xml",
  "/oembed",
  "/cards/:name",
];

/** Lists that whoever was muted is left out of; everything else stays what it is for a follower. First, since authors remove comments. */
const withoutMuted = new Set([
  "blogs.linked",
  "blogs.list",
  "blogs.list: most liked",
  "blogs.byTag",
  "blogs.byTag: most liked",
  "/tag/:tag",
  "blogs.search",
  "blogs.following",
  "blogs.recommended",
  "live.follow: the feed",
  "live.follow: what is liked",
  "GET /blogs",
  "GET /blogs: most liked",
  "GET /search-blogs",
  "GET /recommended",
  "/",
  "/home",
  "/home: most liked",
  "/search",
]);

describe("who follows the author and has muted them:", () => {
  test.each(rowsOf(withABlog))("$act", async ({ act, cells }) => {
    const found: string[] = [];
    for (const place of places)
      found.push(await letter(() => blogActs[act]!(walled.muting, blogs.get(place)!)));
    const asFollower = cells.map((cell) => cell[roles.indexOf("follower")]);
    expect(found.join("")).toBe(withoutMuted.has(act) ? "nnnnnn" : asFollower.join(""));
  });
});

/**
 * Who writes it with the author may what the author may, in the order of the places above, but for these: what the author alone
 * decides, what a profile shows its followers, and how a tie ends.
 */
const ofCoAuthor = `
  blogs.deleteRevision                   ffffff
  blogs.setCommenters                    ffffff
  blogs.inviteAuthor                     ffffff
  blogs.removeAuthor                     ffffff
  blogs.remove                           ffffff
  comments.edit: the author's            ffffff
  comments.remove: the author's          ffffff
  comments.remove: a reader's            ffffff
  comments.mark                          ffffff
  comments.letIn                         nnnnnn
  comments.remove: one that waits        nnnnnn
  DELETE /blogs/{blogId}                 ffffff

  blogs.byAuthor                         ynnnnn
  blogs.byAuthor: private                ffffff
  blogs.byAuthor: drafts                 ffffff
  blogs.byAuthor: liked                  yynfff
  blogs.byAuthor: saved                  ffffff
  blogs.answerInvitation                 yyyyyy
  blogs.removeAuthor: oneself            yyyyyy
  live.follow: the feed                  ynnnnn
  moderation.report: the blog            yyyyyy
  GET /blogs/user/{userId}               ynnynn
  GET /users/{username}: blogs           ynnynn
  GET /users/{username}: liked           yynnnn
  GET /users/{username}: saved           nnnnnn
  /:username                             ynnnnn
  /:username/:tab: private-blogs         rrrrrr
  /:username/:tab: draft-blogs           rrrrrr
  /:username/:tab: liked-blogs           yynrrr
  /:username/:tab: saved-blogs           rrrrrr
`;

describe("who writes it with the author, is invited to, or was taken out:", () => {
  const exceptions = new Map(
    rowsOf(ofCoAuthor, places.length).map(({ act, cells }) => [act, cells.join("")]),
  );

  test.each(rowsOf(withABlog))("$act", async ({ act, cells }) => {
    const found = { coAuthor: "", invited: "", removed: "" };
    for (const [name, who] of Object.entries(beside) as [keyof typeof found, Person][])
      for (const place of places) found[name] += await letter(() => blogActs[act]!(who, blogs.get(place)!));
    const lettersOf = (role: "author" | "stranger") =>
      cells.map((cell) => cell[roles.indexOf(role)]).join("");
    expect(found).toEqual({
      coAuthor: exceptions.get(act) ?? lettersOf("author"),
      // To these it is as to anybody, but that an invitation can be answered.
      invited: act === "blogs.answerInvitation" ? "yyyyyy" : lettersOf("stranger"),
      removed: lettersOf("stranger"),
    });
  });
});

/** What of a silenced author is for members who do not follow: nothing, but for this. */
const ofSilenced: Record<string, string> = {
  "PATCH /blogs/{blogId}: by cookie": "uuuuuu",
  "PATCH /users/{userId}": "ff",
};
/** Who is at a blog is told where everybody may read it. */
const notForFollowers = new Set([
  "live.follow: who is at it",
  "live.follow: being at it",
  "GET /blogs/{blogId}: signed out",
  ...feeds,
]);
/** What does something about the two that can be done but once. */
const changing =
  /^live.follow: (what is liked|that somebody)|^social.(follow|re)|Request|request|who asked|^PATCH .follow|not shown/;

describe("of a silenced author", () => {
  beforeAll(() => silenceAuthors(true));
  afterAll(() => silenceAuthors(false));

  describe.each([
    ["with a blog", withABlog],
    ["with the account", withAnAccount],
  ])("%s:", (_, table) => {
    test.each(rowsOf(table).filter(({ act }) => !changing.test(act)))("$act", async ({ act, cells }) => {
      const found = { follower: "", member: "", guest: "" };
      for (const [column, cell] of cells.entries()) {
        const attempt = (who: Person) =>
          letter(() =>
            table === withABlog
              ? blogActs[act]!(who, blogs.get(places[column]!)!)
              : accountActs[act]!(who, authorOf((["public", "private"] as const)[column]!)),
          );
        found.follower += await attempt(walled.friend);
        found.member += await attempt(passer);
        found.guest += cell.startsWith("-") ? "-" : await attempt(people.public[0]!);
      }
      const asFollower = cells.map((cell) => cell[roles.indexOf("follower")]).join("");
      expect(found).toEqual({
        follower: notForFollowers.has(act) ? "nnnnnn" : asFollower,
        member: ofSilenced[act] ?? "n".repeat(cells.length),
        guest: cells.map((cell) => (/^[u-]/.test(cell) ? cell[0] : "n")).join(""),
      });
    });
  });
});

describe("with a blog:", () => {
  test.each(rowsOf(withABlog))("$act", async ({ act, cells }) => {
    const found: string[] = [];
    for (const [column, place] of places.entries()) {
      const blog = blogs.get(place)!;
      found.push(
        await rowFor(
          cells[column]!,
          people[place.split(" ")[0] as Account].map((who) => () => blogActs[act]!(who, blog)),
        ),
      );
    }
    expect(found.join(" ")).toBe(cells.join(" "));
  });
});

describe("with an account:", () => {
  test.each(rowsOf(withAnAccount))("$act", async ({ act, cells }) => {
    const found: string[] = [];
    for (const [column, account] of (["public", "private"] as const).entries())
      found.push(
        await rowFor(
          cells[column]!,
          people[account].map((who) => () => accountActs[act]!(who, authorOf(account))),
        ),
      );
    expect(found.join(" ")).toBe(cells.join(" "));
  });
});

/** Where a wall stands between them all looks absent, whoever raised it: but for this, in the order of the places above. */
const acrossAWall: Record<string, string> = {
  // A picture that everybody may see has an address that nobody guesses.
  "GET /media/{id}: its cover": "ynn nnn",
  "GET /media/{id}: in its text": "ynn nnn",
  "GET /media/{id}: its owner's picture": "yy",
  // Asked as a guest.
  "GET /blogs/{blogId}: signed out": "ynn nnn",
  ...Object.fromEntries(feeds.map((act) => [act, "ynn nnn"])),
  "PATCH /blogs/{blogId}: by cookie": "uuu uuu",
  // Whose it is is looked at before anything else.
  "PATCH /users/{userId}": "ff",
};

/** What whoever raised it may do beside that. */
const acrossOwnWall: Record<string, string> = {
  // What for is to be told also by who blocked first.
  "moderation.report: the person": "yy",
};

describe.each(["blocked", "blocking"] as const)("who is %s:", (name) => {
  const expected = (act: string) =>
    (name === "blocking" ? acrossOwnWall[act] : undefined) ?? acrossAWall[act];
  test.each(rowsOf(withABlog))("$act", async ({ act }) => {
    const found: string[] = [];
    for (const place of places)
      found.push(await letter(() => blogActs[act]!(walled[name], blogs.get(place)!)));
    expect(found.join("")).toBe((expected(act) ?? "nnn nnn").replace(" ", ""));
  });

  test.each(rowsOf(withAnAccount))("$act", async ({ act }) => {
    const found: string[] = [];
    for (const account of ["public", "private"] as const)
      found.push(await letter(() => accountActs[act]!(walled[name], authorOf(account))));
    expect(found.join("")).toBe(expected(act) ?? "nn");
  });
});

describe("alone:", () => {
  test.each(rowsOf(alone))("$act", async ({ act, cells }) => {
    expect(
      await rowFor(
        cells[0]!,
        people.public.map((who) => () => aloneActs[act]!(who)),
      ),
    ).toBe(cells[0]);
  });
});

describe("the table", () => {
  const all = [...rowsOf(withABlog), ...rowsOf(withAnAccount), ...rowsOf(alone)];
  const named = new Set(all.map(({ act }) => (act.split(":")[0] === "" ? act : act.replace(/: .*/, ""))));

  test("has a cell for everybody", () => {
    for (const { act, cells } of all) {
      expect([6, 2, 1], act).toContain(cells.length);
      for (const cell of cells) expect(cell, act).toHaveLength(roles.length);
    }
  });

  test("has every procedure", () => {
    expect(Object.keys(appRouter._def.procedures).filter((name) => !named.has(name))).toEqual([]);
  });

  test("says in every answer of a procedure where it was read, and in none of the API", () => {
    const asked = Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
    )
      .filter(([, { _def }]) => _def.type !== "subscription")
      .map(([name]) => [name, []]);
    expect(Object.fromEntries(unplaced)).toEqual(Object.fromEntries(asked));
    expect(misplaced).toEqual([]);
  });

  test("has every call of the API", async () => {
    const { paths } = (await (await fetch(`${town.url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace("/api/v1", "")}`),
    );
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.filter((call) => !named.has(call))).toEqual([]);
  });

  test("has every page", () => {
    expect(pages.map(({ path }) => path).filter((path) => !named.has(path))).toEqual([]);
  });
});
