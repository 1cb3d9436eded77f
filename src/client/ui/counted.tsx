/** A number with its unit for screen readers: “12 likes”. Each is an element's only text, so that a translated page changes it. */
export const Counted = ({ count, unit }: { count: number; unit: string }) => (
  <>
    <span>{count.toLocaleString("en")}</span>
    <span className="visually-hidden">{` ${unit}${count === 1 ? "" : "s"}`}</span>
  </>
);
