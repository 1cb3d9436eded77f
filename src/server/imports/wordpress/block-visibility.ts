import { isRow, isYes, list, type Row } from "../reading/values.ts";

/** Whether a block is shown to nobody: as WordPress itself says it since 6.9, or the plugin Block Visibility. */
export function isHidden({ metadata, blockVisibility }: Row): boolean {
  if (isRow(metadata) && metadata.blockVisibility === false) return true;
  return isRow(blockVisibility) && isYes(blockVisibility.hideBlock);
}

/** By which of the plugin's rules some people see a block and others do not, whatever they read it with. */
const ofPeople = new Set(["userRole", "dateTime", "visibilityPresets", "wpFusion", "woocommerce", "edd"]);

/** Whether the plugin shows a block to some people only. */
export function isForSome({ blockVisibility }: Row): boolean {
  if (!isRow(blockVisibility)) return false;
  return list(blockVisibility.controlSets)
    .filter(isRow)
    .some(({ controls }) => isRow(controls) && Object.keys(controls).some((name) => ofPeople.has(name)));
}
