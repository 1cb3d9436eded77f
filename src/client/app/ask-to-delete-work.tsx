import { countText } from "../../shared/count-text.ts";
import { confirm } from "../ui/confirm.tsx";
import { unsavedWork } from "./unsaved-work.ts";

/** Asks whether unsent work of this device can be deleted. Resolves to true where there is none. */
export async function mayDeleteWork(account: string): Promise<boolean> {
  const work = await unsavedWork(account).catch(() => null);
  if (!work) return true;
  const lines = [
    [work.blogs, "blog with changes that aren’t saved", "blogs with changes that aren’t saved"],
    [work.waiting, "comment or like that isn’t sent yet", "comments or likes that aren’t sent yet"],
    [work.drafts, "comment that you began", "comments that you began"],
  ] as const;
  return confirm({
    title: "Log out and delete unsaved work?",
    body: (
      <>
        <p>On this device you still have:</p>
        <ul>
          {lines.map(
            ([count, singular, plural]) =>
              count > 0 && <li key={singular}>{countText(count, singular, plural)}</li>,
          )}
        </ul>
        <p>They’re deleted when you log out, so nobody else who uses this device can read them.</p>
      </>
    ),
    action: "Log Out and Delete",
    danger: true,
  });
}
