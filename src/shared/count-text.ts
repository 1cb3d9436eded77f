/** Returns a count with its unit: "1 comment", "1,200 entries". */
export const countText = (count: number, unit: string, units = `${unit}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? unit : units}`;
