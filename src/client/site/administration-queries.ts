import { registerLiveQueries } from "../live/live.ts";
import { staffList } from "../moderation/moderation-queries.ts";

registerLiveQueries({
  "administration.signupSettings": staffList,
  "administration.site": staffList,
  "administration.jobs": staffList,
  "administration.numbers": staffList,
  "administration.disk": staffList,
  "administration.setup": staffList,
});
