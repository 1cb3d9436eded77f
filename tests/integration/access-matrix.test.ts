import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../src/client/app/routes.ts";
import { appRouter } from "../../src/server/router.ts";
import {
  Refused,
  type Account,
  type Person,
  blogKeys,
  peopleWithBlocks,
  commenterWithoutFollow,
  limitAuthors,
  roles,
  rowsOf,
  testSite,
  people,
  blogs,
  authorOf,
  peopleByCoAuthorRole,
  resultsWithoutCursor,
  pathsWithCursor,
  setUpPeople,
  tearDownPeople,
  type Outcome,
} from "../support/access/setup.ts";
import { blogChecks } from "../support/access/blog-checks.ts";
import { accountChecks } from "../support/access/account-checks.ts";
import { ownerlessChecks } from "../support/access/ownerless-checks.ts";

/*
 * Access of each role to every procedure, every call of /api/v1, every page and every live topic. One letter for each of: a
 * guest, a stranger, a person whose follow request is pending, a follower, a removed follower, the author, an administrator
 * (who has no extra rights here). Public accounts have no follow requests: there the third is another stranger.
 *
 *   y  it works, or is in the list              u  sign in first (401; a page redirects to /signin)
 *   n  looks absent (404, or not in the list)   f  refused (403)
 *   b  makes no sense (400)                     r  the page redirects elsewhere
 *   c  a profile without its blogs              w  follows now, a  has asked to
 *   -  there is no such case
 */

/*                                       a public account:               a private account:
                                         public   private  draft         public   private  draft */
const blogTable = `
  GET /media/{id}: its cover             yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /media/{id}: in its text           yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  GET /media/{id}: in an entry           yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
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
  blogs.versions                        uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.version                         uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.deleteVersion                   uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.setCommenters                    uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.update                           uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.begin                            uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.openDraft                      uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.here                             uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.preview                          uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.commitsSince                     uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.pushCommit                       uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.discardDraft                   uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.publish                   uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
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
  live.follow: who is at it              yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  live.follow: being at it               yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  live.follow: the feed                  yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  live.follow: what is liked             yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.entries                          yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.entry                            yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  blogs.liveNow                          yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  blogs.ownLive                          unnnnyn  unnnnyn  unnnnnn       unnnnyn  unnnnyn  unnnnnn
  comments.replying: an entry            uffffyf  unnfnnn  unnnnfn       unnfnnn  unnfnnn  unnnnfn
  blogs.entryForEdit                     uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.postEntry                        uffffyf  unnfnyn  unnnnbn       unnfnyn  unnfnyn  unnnnbn
  blogs.editEntry                        uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.withdrawEntry                    uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.likeEntry                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  blogs.setLive                          uffffyf  unnfnyn  unnnnbn       unnfnyn  unnfnyn  unnnnbn
  blogs.setSummary                       uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  blogs.setEmbeddable                    uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  live.follow: its entries               yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
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
  comments.approve                         unnnnyn  unnnnyn  unnnnnn       unnnnyn  unnnnyn  unnnnnn
  comments.remove: one that waits        unnnnyn  unnnnyn  unnnnnn       unnnnyn  unnnnyn  unnnnnn
  moderation.appeal                      uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  moderation.report: the blog            uyyyyby  unnynbn  unnnnbn       unnynbn  unnynbn  unnnnbn
  moderation.report: a comment           uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.likeBlog                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.subscription                        uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  social.setSubscription                       uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  social.saveBlog                        uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.place                           uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn
  social.keepPosition                       uyyyyyy  unnynyn  unnnnfn       unnynyn  unnynyn  unnnnfn
  social.notifications: of a reply there       uyyyyyy  unnynyn  unnnnyn       unnynyn  unnynyn  unnnnyn

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
  GET /blogs/{blogId}/entries            yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  POST /blogs/{blogId}/entries           uffffyf  unnfnyn  unnnnbn       unnfnyn  unnfnyn  unnnnbn
  PATCH /entries/{entryId}               uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  DELETE /entries/{entryId}              uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn
  PATCH /blogs/{blogId}/live             uffffyf  unnfnyn  unnnnyn       unnfnyn  unnfnyn  unnnnyn

  /feed.xml                              yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /:username/feed.xml                    yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /blog/:slug/feed.xml                   yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /blog/:slug/embed                      yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /tag/:tag/feed.xml                     yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /search/feed.xml                       yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /sitemap.xml                           yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /sitemap-:part.xml                     yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /oembed                                yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /cards/:name: of an entry              yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /cards/:name                           yyyyyyy  nnnnnnn  nnnnnnn       nnnnnnn  nnnnnnn  nnnnnnn
  /                                      yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /home                                  yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /home: most liked                      yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /search                                yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /tag/:tag                              yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
  /blog/:slug                            yyyyyyy  nnnynyn  nnnnnyn       nnnynyn  nnnynyn  nnnnnyn
  /blog/:slug/:entry                     yyyyyyy  nnnynyn  nnnnnnn       nnnynyn  nnnynyn  nnnnnnn
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
const accountTable = `
  GET /media/{id}: its owner's picture   yyyyyyy  yyyyyyy
  GET /media/{id}: in a form of theirs   nnnnnyn  nnnnnyn
  users.profile                          yyyyyyy  cccycyc
  moderation.report: the person          uyyyyby  uyyyyby
  users.named                            yyyyyyy  yyyyyyy
  users.search                           yyyyyyy  yyyyyyy
  live.follow: that somebody likes it    unnnnyn  unnnnyn
  users.revokeSession: the account's     unnnnyn  unnnnyn
  imports.report: the account's          unnnnyn  unnnnyn
  /settings/import/:id.txt               unnnnyn  unnnnyn
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
  /:username/feed.xml: the account       yyyyyyy  nnnnnnn
  /oembed: the account                   yyyyyyy  nnnnnnn
  /cards/:name: the account              yyyyyyy  nnnnnnn
  /sitemap.xml: the account              yyyyyyy  nnnnnnn
`;

/** Actions as a guest, a member and an administrator. */
const viewerTable = `
  blogs.create                           uyy
  blogs.stats                            uyy
  blogs.unfinished                       uyy
  blogs.invitations                      uyy
  moderation.waiting                     ufy
  moderation.queue                       ufy
  moderation.resolveReport                      ufy
  moderation.blogs                       ufy
  moderation.readBlog                    ufy
  moderation.deleteBlog                  ufy
  moderation.comments                    ufy
  moderation.pendingComments                        ufy
  moderation.approveComment                   ufy
  moderation.rejectComment                  ufy
  moderation.restore                     ufy
  moderation.answerAppeal                ufy
  moderation.reopenReports               ufy
  moderation.people                      ufy
  moderation.suspend                     ufy
  moderation.limit                     ufy
  moderation.makeModerator               ufy
  moderation.makeAdmin                   ufy
  moderation.verify                      ufy
  moderation.sendReset                   ufy
  moderation.deletePerson                ufy
  moderation.notes                       ufy
  moderation.addNote                     ufy
  moderation.removeNote                  ufy
  moderation.log                         ufy
  administration.site                        ufy
  administration.setSite                     ufy
  administration.setText                     ufy
  administration.jobs                        ufy
  administration.numbers                     ufy
  administration.disk                        ufy
  administration.setup                       ufy
  administration.hideSetup                   ufy
  administration.sendTestMail                ufy
  administration.retryJob                    ufy
  administration.discardJob                  ufy
  moderation.setWriter                   ufy
  administration.signupSettings                   ufy
  administration.setSignUp                   ufy
  administration.setQuestion                 ufy
  administration.setSignupBlock                ufy
  moderation.signupRequests                ufy
  moderation.approveSignup                       ufy
  moderation.rejectSignup                      ufy
  administration.invite                      ufy
  administration.withdraw                    ufy
  imports.list                           uyy
  POST /settings/import                  uyy
  blogs.embed                            uyy
  exports.state                          uyy
  exports.begin                          uyy
  exports.remove                         uyy
  push.state                             uyy
  push.subscribe                         uyy
  push.unsubscribe                       uyy
  social.readNotifications                     uyy
  social.seeNotifications                      uyy
  social.block                           uyy
  social.blocked                         uyy
  social.mute                            uyy
  social.muted                           uyy
  social.ties                            uyy
  social.notificationSettings                  uyy
  social.setNotificationChannels                   uyy
  social.setZone                         uyy
  social.subscriptions                         uyy
  social.unsubscribe                     yyy
  users.site                             yyy
  users.siteText                         yyy
  users.interestGroups                   yyy
  blogs.popularInterests                 yyy
  blogs.topicsInUse                      yyy
  users.sawTexts                         uyy
  users.me                               nyy
  users.sessions                         uyy
  users.invitation                       yyy
  users.beginSignUp                      yyy
  users.signUp                           yyy
  users.setUpState                       yyy
  users.setUp                            fff
  users.verifyEmail                      yyy
  users.resendVerification               yyy
  users.forgotPassword                   yyy
  users.resetPassword                    yyy
  users.signIn                           yyy
  users.signOut                          yyy
  users.revokeOtherSessions              uyy
  users.changePassword                   uyy
  users.changeEmail                      uyy
  users.followEmailLink                  yyy
  users.finishGoogle                     yyy
  users.finishGoogle: nothing begun      uuu
  users.passkeyOptions                   yyy
  users.signInWithPasskey                yyy
  users.access                           uyy
  users.ownFeed                          uyy
  users.beginApp                         uyy
  users.confirmApp                       uyy
  users.turnAppOff                       uyy
  users.renewCodes                       uyy
  users.setPasskeyStep                   uyy
  users.beginPasskey                     uyy
  users.addPasskey                       uyy
  users.removePasskey                    uyy
  users.updateProfile                    uyy
  users.updateSettings                   uyy
  users.remove                           uyy
  users.sendDeletionLink                      uyy
  users.deleteByLink: another's          yff

  POST /blogs                            uyy
  POST /signup                           yyy
  GET /verify-email/{token}              yyy
  POST /resend-verification              yyy
  POST /forgot-password                  yyy
  POST /reset-password                   yyy
  POST /signin                           yyy
  POST /signout                          uyy
  POST /google-auth: where it is not on  nnn
  PUT /user/update-interests             uyy
  PATCH /change-saved-liked-blog-visibility  uyy
  DELETE /delete-account                 uyy
  POST /upload                           uyy

  /signin                                yrr
  /signup                                yrr
  /verify-email/:token                   yyy
  /forgot-password                       yyy
  /reset-password/:token                 yyy
  /setup                                 uuu
  /delete-account/:token                 yyy
  /change-email/:token                   yyy
  /undo-access/:token                    yyy
  /unsubscribe/:token                    yyy
  /select-interests                      uyy
  /add-blog                              uyy
  /settings/export                       uyy
  /edit-profile                          uyy
  /settings                              uyy
  /settings/import                       uyy
  /admin                                 uny
  /admin/:part                           uny
  /docs                                  yyy
  /terms                                 nnn
  /privacy                               nnn
  /nobody-of-this-name                   nnn
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

/** Returns the letter of an attempt, or an unknown error in full. */
async function resultLetter(attempt: () => Outcome): Promise<string> {
  try {
    const outcome = await attempt();
    return typeof outcome === "string" ? outcome : outcome ? "y" : "n";
  } catch (error) {
    const code = error instanceof Refused ? error.status : (error as { data?: { code?: string } }).data?.code;
    return letters[code ?? ""] ?? `(${code ?? ""} ${String(error)})`;
  }
}

async function resultRow(expected: string, attempts: (() => Outcome)[]): Promise<string> {
  let rowLetters = "";
  for (const [index, attempt] of attempts.entries())
    rowLetters += expected[index] === "-" ? "-" : await resultLetter(attempt);
  return rowLetters;
}

beforeAll(setUpPeople);
afterAll(tearDownPeople);

/*
 * Relations to an author besides following: muting, co-author, limited, blocked. Each row lists the places in the order above. They are
 * tried with procedures: pages call the same procedures (pages.ts), public content reads no cookie, and most REST calls use the same
 * service functions. One page and one such REST call are tried as well; the other REST calls here have queries of their own.
 */
const actionsForRelations = new Set([
  "GET /media/{id}: its cover",
  "GET /media/{id}: in its text",
  "GET /media/{id}: in an entry",
  "GET /media/{id}: its owner's picture",
  "GET /media/{id}: in a form of theirs",
  "GET /blogs",
  "GET /blogs/{blogId}",
  "GET /blogs/user/{userId}",
  "GET /users/{username}",
  "GET /users/{username}: blogs",
  "GET /users/{username}: followers",
  "GET /users/{username}: who asked",
  "/home",
]);
const relationRows = (table: string) =>
  rowsOf(table).filter(({ action }) => actionsForRelations.has(action) || !/^([A-Z]+ )?\//.test(action));

/** One action per kind of query: enough for a relation that the queries treat like another one. */
const oneOfEachQuery = new Set([
  "GET /media/{id}: its cover",
  "blogs.bySlug",
  "blogs.list",
  "blogs.byTag",
  "blogs.search",
  "blogs.following",
  "blogs.recommended",
  "blogs.mine",
  "blogs.forEdit",
  "live.follow: what is written",
  "live.follow: the open blog",
  "live.follow: the feed",
  "blogs.entries",
  "comments.list",
  "comments.create: a reply",
  "social.likeBlog",
  "social.notifications: of a reply there",
  "GET /blogs/{blogId}",
  "/home",
]);

async function lettersOfAction(person: Person, call: string): Promise<string> {
  let actionLetters = "";
  for (const key of blogKeys)
    actionLetters += await resultLetter(() => blogChecks[call]!(person, blogs.get(key)!));
  return actionLetters;
}

/** Lists without muted people. These tests run first, since authors remove comments. */
const withoutMuted = new Set([
  "blogs.liveNow",
  "blogs.linked",
  "blogs.list",
  "blogs.list: most liked",
  "blogs.byTag",
  "blogs.byTag: most liked",
  "blogs.search",
  "blogs.following",
  "blogs.recommended",
  "live.follow: the feed",
  "live.follow: what is liked",
  "GET /blogs",
  "/home",
]);

describe("leaves muted authors out of lists and changes nothing else for a follower:", () => {
  test.each(relationRows(blogTable))("$action", async ({ action, cells }) => {
    const asFollower = cells.map((cell) => cell[roles.indexOf("follower")]);
    expect(await lettersOfAction(peopleWithBlocks.muting, action)).toBe(
      withoutMuted.has(action) ? "nnnnnn" : asFollower.join(""),
    );
  });
});

/** A co-author may do what the author may, except these, in the order of the places above. */
const coAuthorTable = `
  blogs.deleteVersion                   ffffff
  blogs.setCommenters                    ffffff
  blogs.setEmbeddable                    ffffff
  blogs.inviteAuthor                     ffffff
  blogs.removeAuthor                     ffffff
  blogs.remove                           ffffff
  blogs.entryForEdit                     ffffff
  blogs.editEntry                        ffffff
  blogs.withdrawEntry                    ffffff
  PATCH /entries/{entryId}               ffffff
  DELETE /entries/{entryId}              ffffff
  comments.edit: the author's            ffffff
  comments.remove: the author's          ffffff
  comments.remove: a reader's            ffffff
  comments.mark                          ffffff
  moderation.appeal                      ffffff
  comments.approve                         nnnnnn
  comments.remove: one that waits        nnnnnn

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
`;

describe("grants a co-author the author's access, an invited or removed one a stranger's:", () => {
  const exceptions = new Map(
    rowsOf(coAuthorTable, blogKeys.length).map(({ action, cells }) => [action, cells.join("")]),
  );

  test.each(relationRows(blogTable))("$action", async ({ action, cells }) => {
    const lettersOf = (role: "author" | "stranger") =>
      cells.map((cell) => cell[roles.indexOf(role)]).join("");
    expect({
      coAuthor: await lettersOfAction(peopleByCoAuthorRole.coAuthor, action),
      invited: await lettersOfAction(peopleByCoAuthorRole.invited, action),
    }).toEqual({
      coAuthor: exceptions.get(action) ?? lettersOf("author"),
      invited: action === "blogs.answerInvitation" ? "yyyyyy" : lettersOf("stranger"),
    });
    // The row of a removed co-author is deleted.
    if (oneOfEachQuery.has(action))
      expect(await lettersOfAction(peopleByCoAuthorRole.removed, action)).toBe(lettersOf("stranger"));
  });
});

/** Presence is sent only where everyone may read the blog. */
const notForFollowers = new Set(["live.follow: who is at it", "live.follow: being at it"]);
/** Actions that change the relation and work only once. */
const oneTimeActions =
  /^live.follow: (what is liked|that somebody)|^social.(follow|re)|Request|request|who asked|not shown/;

describe("shows a limited author to followers only", () => {
  beforeAll(() => limitAuthors(true));
  afterAll(() => limitAuthors(false));

  describe.each([
    ["with a blog", blogTable],
    ["with the account", accountTable],
  ])("%s:", (_, table) => {
    test.each(relationRows(table).filter(({ action }) => !oneTimeActions.test(action)))(
      "$action",
      async ({ action, cells }) => {
        const lettersByRole = { follower: "", member: "", guest: "" };
        for (const [column, cell] of cells.entries()) {
          const attempt = (person: Person) =>
            resultLetter(() =>
              table === blogTable
                ? blogChecks[action]!(person, blogs.get(blogKeys[column]!)!)
                : accountChecks[action]!(person, authorOf((["public", "private"] as const)[column]!)),
            );
          lettersByRole.follower += await attempt(peopleWithBlocks.friend);
          lettersByRole.member += await attempt(commenterWithoutFollow);
          lettersByRole.guest += cell.startsWith("-") ? "-" : await attempt(people.public[0]!);
        }
        const asFollower = cells.map((cell) => cell[roles.indexOf("follower")]).join("");
        expect(lettersByRole).toEqual({
          follower: notForFollowers.has(action) ? "nnnnnn" : asFollower,
          member: "n".repeat(cells.length),
          guest: cells.map((cell) => (/^[u-]/.test(cell) ? cell[0] : "n")).join(""),
        });
      },
    );
  });

  // Pages and feeds for guests are cached.
  test.each([
    "/feed.xml",
    "/:username/feed.xml",
    "/tag/:tag/feed.xml",
    "/search/feed.xml",
    "/sitemap.xml",
    "/sitemap-:part.xml",
    "/oembed",
    "/cards/:name",
    "GET /blogs: most liked",
    "/",
    "/home: most liked",
    "/tag/:tag",
    "/blog/:slug",
    "/blog/:slug/:entry",
    "/blog/:slug/feed.xml",
    "/blog/:slug/embed",
    "/cards/:name: of an entry",
  ])("hides a limited author from guests: %s", async (call) => {
    expect(await lettersOfAction(people.public[0]!, call)).toBe("nnnnnn");
  });
  test.each([
    "/:username/feed.xml: the account",
    "/oembed: the account",
    "/cards/:name: the account",
    "/sitemap.xml: the account",
  ])("hides a limited account from guests and its followers: %s", async (call) => {
    for (const person of [people.public[0]!, peopleWithBlocks.friend])
      expect(await resultLetter(() => accountChecks[call]!(person, authorOf("public")))).toBe("n");
  });
});

describe("grants each role the access of the table with a blog:", () => {
  test.each(rowsOf(blogTable))("$action", async ({ action, cells }) => {
    const rows: string[] = [];
    for (const [column, key] of blogKeys.entries()) {
      const blog = blogs.get(key)!;
      rows.push(
        await resultRow(
          cells[column]!,
          people[key.split(" ")[0] as Account].map((person) => () => blogChecks[action]!(person, blog)),
        ),
      );
    }
    expect(rows.join(" ")).toBe(cells.join(" "));
  });
});

describe("grants each role the access of the table with an account:", () => {
  test.each(rowsOf(accountTable))("$action", async ({ action, cells }) => {
    const rows: string[] = [];
    for (const [column, account] of (["public", "private"] as const).entries())
      rows.push(
        await resultRow(
          cells[column]!,
          people[account].map((person) => () => accountChecks[action]!(person, authorOf(account))),
        ),
      );
    expect(rows.join(" ")).toBe(cells.join(" "));
  });
});

/** What works across a block in either direction, in the order of the places above. */
const acrossBlock: Record<string, string> = {
  // The address of a public image cannot be guessed.
  "GET /media/{id}: its cover": "ynnnnn",
  "GET /media/{id}: in its text": "ynnnnn",
  "GET /media/{id}: in an entry": "ynnnnn",
  "GET /media/{id}: its owner's picture": "yy",
};

/** What else works for the blocking person. */
const acrossOwnBlock: Record<string, string> = {
  "moderation.report: the person": "yy",
};

/**
 * A block is stored as a row in each direction, and every query looks at both alike
 * (docs/decisions/0014-visibility-blocks-and-mutes.md).
 */
describe.each(["blocked", "blocking"] as const)("looks absent to the %s person:", (name) => {
  const expected = (call: string, cells: unknown[]) =>
    (name === "blocking" ? acrossOwnBlock[call] : undefined) ?? acrossBlock[call] ?? "n".repeat(cells.length);

  test.each(relationRows(blogTable).filter(({ action }) => name === "blocked" || oneOfEachQuery.has(action)))(
    "$action",
    async ({ action, cells }) => {
      expect(await lettersOfAction(peopleWithBlocks[name], action)).toBe(expected(action, cells));
    },
  );

  test.each(relationRows(accountTable))("$action", async ({ action, cells }) => {
    const accountLetters: string[] = [];
    for (const account of ["public", "private"] as const)
      accountLetters.push(
        await resultLetter(() => accountChecks[action]!(peopleWithBlocks[name], authorOf(account))),
      );
    expect(accountLetters.join("")).toBe(expected(action, cells));
  });
});

describe("grants guest, member and administrator the access of the table alone:", () => {
  test.each(rowsOf(viewerTable, 3))("$action", async ({ action, cells }) => {
    const [guest, , , , , member, admin] = people.public;
    const attempts = [guest, member, admin].map((person) => () => ownerlessChecks[action]!(person!));
    expect(await resultRow(cells[0]!, attempts)).toBe(cells[0]);
  });
});

describe("the table", () => {
  const all = [...rowsOf(blogTable), ...rowsOf(accountTable), ...rowsOf(viewerTable, 3)];
  const named = new Set(
    all.map(({ action }) => (action.split(":")[0] === "" ? action : action.replace(/: .*/, ""))),
  );

  test("has a cell for each role", () => {
    for (const { action, cells } of all) {
      expect([6, 2, 1], action).toContain(cells.length);
      for (const cell of cells) expect(cell, action).toHaveLength(cells.length === 1 ? 3 : roles.length);
    }
  });

  test("has every procedure", () => {
    expect(Object.keys(appRouter._def.procedures).filter((name) => !named.has(name))).toEqual([]);
  });

  test("finds a live cursor in every response of a procedure and in none of the REST API", () => {
    const expectedResults = Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
    )
      // The other succeeds only on a site without accounts (set-up.test.ts).
      .filter(([name, { _def }]) => _def.type !== "subscription" && name !== "users.setUp")
      .map(([name]) => [name, []]);
    expect(Object.fromEntries(resultsWithoutCursor)).toEqual(Object.fromEntries(expectedResults));
    expect(pathsWithCursor).toEqual([]);
  });

  test("has every call of the API", async () => {
    const { paths } = (await (await fetch(`${testSite.url}/api/v1/openapi.json`)).json()) as {
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
