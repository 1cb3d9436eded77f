import { choose, isChosen } from "../storage/device-choice.ts";

/** Set when smart quotes and dashes are off on this device. */
const key = "editor:plainSigns";

/** Whether quotes, dashes and the like follow the language as they are typed. */
export const hasSmartQuotes = (): boolean => !isChosen(key);

export const setSmartQuotes = (wanted: boolean): void => choose(key, !wanted);
