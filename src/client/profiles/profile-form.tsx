import { useMutation } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { routes } from "../../shared/routes.ts";
import type { Viewer } from "../../shared/users.ts";
import { errorField, errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { UploadError } from "../uploads/upload.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { useNavigateFromHere } from "../ui/navigate-from-here.ts";
import { toast } from "../ui/toasts.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { PictureField } from "./picture-field.tsx";
import { usePictureUpload } from "./profile-picture-upload.ts";
import { useProblems, type Problems } from "../sign-in/problems.ts";
import { updateViewer } from "../session/session.ts";
import { showFailure } from "../session/failure.ts";
import "./profile.css";

type FieldName = "name" | "username" | "bio" | "pictureId";
type Entered = Pick<Viewer, "name" | "username" | "bio">;
const fieldNames: readonly string[] = ["name", "username", "bio", "pictureId"];

/** The form's content when the session ended, for the same account after signing in again. */
let formAtSignOut: { viewerId: string; values: Entered } | null = null;

/** The public profile. Its fields are uncontrolled, as in auth-form.tsx. */
export function ProfileForm({ viewer }: { viewer: Viewer }) {
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const navigateFromHere = useNavigateFromHere();
  const picture = usePictureUpload(viewer.id);
  const { users } = trpc.useUtils();
  const update = trpc.users.updateProfile.useMutation();
  const [initial] = useState(() => (formAtSignOut?.viewerId === viewer.id ? formAtSignOut.values : viewer));
  const [bio, setBio] = useState(initial.bio);
  const { refuse, onInput, box } = useProblems<FieldName>(form);

  useLayoutEffect(() => {
    const { current } = form;
    formAtSignOut = null;
    return () => {
      if (current && !users.me.getData()) formAtSignOut = { viewerId: viewer.id, values: readForm(current) };
    };
  }, [users, viewer.id]);

  const saving = useMutation({
    mutationFn: async (values: Entered) => {
      const chosen = await picture.settle();
      return update.mutateAsync({
        ...values,
        ...(chosen === undefined ? {} : { pictureId: chosen?.id ?? null }),
      });
    },
    onSuccess: (changed) => {
      updateViewer(changed);
      navigateFromHere(routes.profile(changed.username), { replace: true });
      toast({ kind: "success", message: "Profile updated." });
    },
    onError: (error) => {
      // Its field shows the error and a Retry button.
      if (error instanceof UploadError) return;
      const field = errorField(error);
      if (field && fieldNames.includes(field)) refuse({ [field]: errorMessage(error, messages.update) });
      else showFailure(error, navigate, save, messages.update);
    },
  });
  const save = (): void => {
    if (!form.current || saving.isPending) return;
    const values = readForm(form.current);
    if (!refuse(problemsOf(values))) saving.mutate(values);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save();
  };
  return (
    <form ref={form} className="stack gap-5" method="post" noValidate onSubmit={submit} onInput={onInput}>
      <PictureField viewer={viewer} picture={picture} error={box("pictureId").error} />
      <TextField
        label="Name"
        {...box("name")}
        defaultValue={initial.name}
        maxLength={limits.name.max}
        autoComplete="name"
        required
      />
      <TextField
        label="Username"
        {...box("username")}
        defaultValue={initial.username}
        maxLength={limits.username.max}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        hint="Part of your profile’s address. If you change it, the old one redirects to you, and nobody else can take it for 30 days."
      />
      <TextArea
        label="Bio"
        {...box("bio")}
        defaultValue={initial.bio}
        counter={{ value: bio, max: limits.bio.max }}
        onInput={(event) => setBio(event.currentTarget.value)}
        rows={4}
      />
      <div className="profile-form-acts row wrap gap-3">
        <Button type="submit" kind="primary" busy={saving.isPending} disabled={!hydrated}>
          Update Profile
        </Button>
        <LinkButton to={routes.profile(viewer.username)}>Cancel</LinkButton>
      </div>
    </form>
  );
}

function readForm(form: HTMLFormElement): Entered {
  const data = new FormData(form);
  const text = (name: string): string => {
    const value = data.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  return { name: text("name"), username: text("username").toLowerCase(), bio: text("bio") };
}

/** Validates without the server, in its words (shared/users.ts). */
const problemsOf = ({ name, username, bio }: Entered): Problems<FieldName> => ({
  name: name === "" && "Please enter a name.",
  username:
    username === ""
      ? "Username is required."
      : username.length < limits.username.min && messages.usernameShort,
  bio: [...bio].length > limits.bio.max && `The bio is too long: at most ${limits.bio.max} characters.`,
});
