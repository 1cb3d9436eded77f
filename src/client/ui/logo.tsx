/** The end-repeat sign of written music: two dots, a thin bar and a thick one. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg
      className="mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      <circle cx="5.5" cy="9" r="2" />
      <circle cx="5.5" cy="15" r="2" />
      <path d="M11 3h1.6v18H11zM15.8 3H20v18h-4.2z" />
    </svg>
  );
}
