import { useState } from "react";
import type { FormEvent } from "react";
import { accentOf, contrast, papers } from "../../shared/accent.ts";
import { limits } from "../../shared/limits.ts";
import type { SiteSettings as Settings } from "../../shared/site.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { UploadError } from "../uploads/upload.ts";
import { PictureField } from "../profiles/picture-field.tsx";
import { usePictureUpload } from "../profiles/profile-picture-upload.ts";
import { useFormSubmit } from "../sign-in/use-form-submit.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { AccountLimits } from "./account-limits.tsx";
import { SiteChoices } from "./site-choices.tsx";
import { MailSettings } from "./mail.tsx";
import { SiteTopics } from "./site-topics.tsx";
import { SiteTexts } from "./site-texts.tsx";

export function SiteSettings() {
  const query = trpc.administration.site.useQuery();
  return (
    <QueryResult query={query} noun="settings">
      {(settings) => (
        <div className="sections staff-settings staff-site">
          <Appearance settings={settings} />
          <SiteTopics settings={settings} />
          <SiteChoices settings={settings} />
          <AccountLimits settings={settings} />
          <MailSettings />
          <SiteTexts settings={settings} />
        </div>
      )}
    </QueryResult>
  );
}

const fieldNames = ["name", "description", "language", "securityContact", "accent"] as const;

function Appearance({ settings }: { settings: Settings }) {
  const setSite = trpc.administration.setSite.useMutation();
  const { form, busy, general, send, textOf, box } = useFormSubmit();
  const picture = usePictureUpload("site");
  const [accent, setAccent] = useState(settings.accent);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    send(async () => {
      const values = fieldNames.map((name) => [name, textOf(name).trim()] as const);
      let chosen;
      try {
        chosen = await picture.settle();
      } catch (error) {
        // Its field shows the error and a retry.
        if (error instanceof UploadError) return;
        throw error;
      }
      const { message } = await setSite.mutateAsync({
        ...Object.fromEntries(values.filter(([name, value]) => value !== settings[name])),
        ...(chosen === undefined ? {} : { picture: chosen?.id ?? "" }),
      });
      toast({ kind: "success", message });
    });
  };
  const optional = (name: (typeof fieldNames)[number]) => ({ ...box(name), required: false });
  return (
    <form
      ref={form}
      className="stack gap-4 staff-form"
      onSubmit={save}
      noValidate
      aria-labelledby="site-looks"
    >
      <h2 id="site-looks">Name and appearance</h2>
      <TextField
        label="Name"
        {...optional("name")}
        defaultValue={settings.name}
        placeholder={settings.givenName}
        maxLength={limits.site.name}
      />
      <TextField
        label="Description"
        {...optional("description")}
        defaultValue={settings.description}
        placeholder="Write. Inspire. Repeat."
        maxLength={limits.site.description}
        hint="One line, for search engines and shared links."
      />
      <PictureField
        viewer={{ name: settings.name || settings.givenName, picture: settings.picture?.src ?? null }}
        picture={picture}
        error={null}
      />
      <TextField
        label="Language"
        {...optional("language")}
        defaultValue={settings.language}
        placeholder="en"
        maxLength={35}
        hint="The language of most blogs here, such as de or pt-BR, for screen readers and translators."
      />
      <TextField
        label="Contact"
        {...optional("securityContact")}
        defaultValue={settings.securityContact}
        placeholder="hello@example.org"
        maxLength={254}
        autoCapitalize="none"
        spellCheck={false}
        hint="An email address or a page, for suspended people and for security problems. It’s published at /.well-known/security.txt."
      />
      <div className="staff-accent">
        <TextField
          label="Accent"
          {...optional("accent")}
          value={accent}
          onChange={(event) => setAccent(event.target.value)}
          placeholder="#c8401f"
          maxLength={7}
          autoCapitalize="none"
          spellCheck={false}
        />
        <input
          type="color"
          className="framed"
          aria-label="Pick the accent"
          value={isColor(accent) ? accent : "#c8401f"}
          onChange={(event) => setAccent(event.target.value)}
        />
      </div>
      {isColor(accent) && <AccentPreview color={accent.toLowerCase()} />}
      <p className="alert" role="alert">
        {general}
      </p>
      <Button type="submit" kind="primary" busy={busy}>
        Save
      </Button>
    </form>
  );
}

const isColor = (value: string): boolean => /^#[0-9a-f]{6}$/i.test(value);

const themes = { light: "Light pages", dark: "Dark pages" } as const;

/** The accent in both themes, and whether it needed more contrast. */
function AccentPreview({ color }: { color: string }) {
  const shown = accentOf(color);
  return (
    <ul className="panel small staff-weight" aria-label="How it looks" aria-live="polite">
      {(["light", "dark"] as const).map((theme) => (
        <li key={theme} data-theme={theme} style={{ color: shown[theme], backgroundColor: papers[theme] }}>
          <strong>{themes[theme]}</strong>{" "}
          {shown[theme] === color
            ? "as it is"
            : `too weak as it is (${contrast(color, papers[theme]).toFixed(1)} : 1), shown ${theme === "light" ? "darker" : "lighter"}, as ${shown[theme]}`}
        </li>
      ))}
    </ul>
  );
}
