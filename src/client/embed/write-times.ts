/** Rewrites the server's times in the reader's zone: the time of day, with the date if that is not today. */
export function writeTimes(root: ParentNode): void {
  const today = new Date().toDateString();
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    const at = new Date(time.dateTime);
    time.replaceChildren(at.toLocaleTimeString(undefined, { timeStyle: "short" }));
    if (at.toDateString() !== today) {
      const day = document.createElement("span");
      day.textContent = at.toLocaleDateString(undefined, { day: "numeric", month: "short" });
      time.append(" ", day);
    }
    time.title = at.toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" });
  }
}
