/** The sign of a key moment. Not among the icons of every page, few of which show it. */
export const Star = ({ size = 16 }: { size?: number }) => (
  <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path d="m12 4 2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8z" />
  </svg>
);
