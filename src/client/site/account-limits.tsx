import type { FormEvent } from "react";
import type { BoundName, SiteSettings } from "../../shared/site.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { useFormSubmit } from "../sign-in/use-form-submit.ts";

const groups: { title: string; text: string; bounds: Partial<Record<BoundName, string>> }[] = [
  {
    title: "Storage and daily limits",
    text: "For each account and day (UTC). They don’t apply to administrators and moderators. Imports have the storage limit, and that of new blogs for posts of the last week.",
    bounds: {
      storageMb: "Total size of texts and pictures (MB)",
      dailyUploads: "New pictures per day",
      dailyBlogs: "New blogs per day",
      dailyComments: "Comments per day",
      dailySignUps: "Sign-ups per day from one network",
    },
  },
  {
    title: "First day of an account",
    text: "Limits for new accounts, to stop spam.",
    bounds: {
      firstDayLinks: "Links and mentions in comments",
      firstDayBlogs: "Links in blogs",
    },
  },
  {
    title: "Disk",
    text: "Warns administrators on every page here. The default is a tenth of the disk, at least 1 GB and at most 10 GB; 0 never warns.",
    bounds: { diskLowGb: "Warn below (GB)" },
  },
];

/** The limits of accounts; an empty field means the default. */
export function AccountLimits({ settings }: { settings: SiteSettings }) {
  const setSite = trpc.administration.setSite.useMutation();
  const { form, busy, general, send, textOf, box } = useFormSubmit();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const values = groups
      .flatMap(({ bounds }) => Object.keys(bounds) as BoundName[])
      .map((name) => [name, textOf(name).trim()] as const);
    send(async () => {
      const { message } = await setSite.mutateAsync(
        Object.fromEntries(values.filter(([name, value]) => value !== settings[name])),
      );
      toast({ kind: "success", message });
    });
  };
  return (
    <form
      ref={form}
      className="stack gap-4 staff-form"
      onSubmit={save}
      noValidate
      aria-labelledby="site-bounds"
    >
      <h2 id="site-bounds">Limits</h2>
      <p className="note">
        People who reach a limit see a message and lose nothing. Leave a field empty for the default; 0 allows
        nothing.
      </p>
      {groups.map(({ title, text, bounds }) => (
        <fieldset key={title} className="staff-bounds">
          <legend>{title}</legend>
          <p className="note">{text}</p>
          {(Object.entries(bounds) as [BoundName, string][]).map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              {...box(name)}
              required={false}
              defaultValue={settings[name]}
              placeholder={name === "diskLowGb" ? "default" : String(staffLimits.bounds[name])}
              inputMode="numeric"
              maxLength={9}
            />
          ))}
        </fieldset>
      ))}
      <p className="alert" role="alert">
        {general}
      </p>
      <Button type="submit" kind="primary" busy={busy}>
        Save limits
      </Button>
    </form>
  );
}
