import { answerAsked } from "../imports/apart/answering.ts";
import { stepBack } from "../priority.ts";

/* The entry of the thread that reads what is imported from (`imports/apart/open.ts`). */

stepBack("thread");
answerAsked();
