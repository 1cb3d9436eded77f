import { isRow, isYes, list, type Row } from "../reading/values.ts";

/** Whether a block is hidden from everyone, by WordPress 6.9 or the plugin Block Visibility. */
export function isHidden({ metadata, blockVisibility }: Row): boolean {
  if (isRow(metadata) && metadata.blockVisibility === false) return true;
  return isRow(blockVisibility) && isYes(blockVisibility.hideBlock);
}

/** The plugin's rules that depend on the reader or time, not the device. */
const ofPeople = new Set(["userRole", "dateTime", "visibilityPresets", "wpFusion", "woocommerce", "edd"]);

/** Whether the plugin hides a block from some people. */
export function isForSome({ blockVisibility }: Row): boolean {
  if (!isRow(blockVisibility)) return false;
  return list(blockVisibility.controlSets)
    .filter(isRow)
    .some(({ controls }) => isRow(controls) && Object.keys(controls).some((name) => ofPeople.has(name)));
}
