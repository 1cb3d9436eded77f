import type { FormEvent } from "react";
import { Link } from "../ui/link.tsx";
import { limits } from "../../shared/limits.ts";
import type { SiteSettings, StoredText, TextKind } from "../../shared/site.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { DateText } from "../ui/time.tsx";
import { toast } from "../ui/toasts.tsx";
import { useFormSubmit } from "../sign-in/use-form-submit.ts";

const texts: Record<TextKind, { label: string; hint: string; address?: string }> = {
  landing: {
    label: "Landing text",
    hint: "Shown to guests below the headline of the first page. Markdown.",
  },
  terms: {
    label: "Terms",
    hint: "Linked in the footer, and accepted at sign-up. Members are notified of changes. Markdown.",
    address: "/terms",
  },
  privacy: { label: "Privacy", hint: "Linked in the footer. Markdown.", address: "/privacy" },
  sheet: {
    label: "Style sheet",
    hint: "Custom CSS for every page except this one. Add ?plain to an address to see the page without it.",
  },
};

/** The site's long texts, each published by itself. */
export function SiteTexts({ settings }: { settings: SiteSettings }) {
  return (Object.keys(texts) as TextKind[]).map((kind) => (
    <TextForm key={kind} kind={kind} text={settings.texts[kind]} />
  ));
}

function TextForm({ kind, text: { source, at } }: { kind: TextKind; text: StoredText }) {
  const setText = trpc.administration.setText.useMutation();
  const { form, busy, general, send, textOf, box } = useFormSubmit();
  const { label, hint, address } = texts[kind];
  const publish = (event: FormEvent): void => {
    event.preventDefault();
    send(async () => {
      const { message } = await setText.mutateAsync({ kind, source: textOf("source") });
      toast({ kind: "success", message });
    });
  };
  return (
    <form ref={form} className="stack gap-4 staff-form" onSubmit={publish} aria-label={label}>
      <TextArea
        label={label}
        hint={hint}
        {...box("source")}
        required={false}
        key={at}
        defaultValue={source}
        maxLength={kind === "sheet" ? limits.site.sheet : limits.site.text}
        rows={6}
        spellCheck={kind !== "sheet"}
      />
      <p className="alert" role="alert">
        {general}
      </p>
      <div className="row wrap">
        <Button type="submit" busy={busy}>
          {kind === "sheet" ? "Save style sheet" : "Publish"}
        </Button>
        {at && (
          <p className="note">
            Unchanged since <DateText at={at} />
            {address && (
              <>
                . <Link to={address}>Read it</Link>
              </>
            )}
          </p>
        )}
      </div>
    </form>
  );
}
