/** A number with its unit for screen readers: “12 likes”. */
export const Counted = ({ count, unit }: { count: number; unit: string }) => (
  <>
    {count.toLocaleString("en")}
    <span className="visually-hidden">
      {" "}
      {unit}
      {count === 1 ? "" : "s"}
    </span>
  </>
);
