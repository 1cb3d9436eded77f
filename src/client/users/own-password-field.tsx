import type { ComponentProps } from "react";
import { limits } from "../../shared/limits.ts";
import type { Viewer } from "../../shared/users.ts";
import { PasswordField } from "../ui/field.tsx";

interface Props extends Omit<ComponentProps<typeof PasswordField>, "label"> {
  viewer: Viewer;
  label?: string;
}

/** Asks whoever is signed in for their password. */
export function OwnPasswordField({ viewer, label = "Your password", ...rest }: Props) {
  return (
    <>
      {/* For the browser's own list of passwords: it fills in, and keeps, the one of this account. */}
      <input hidden readOnly autoComplete="username" value={viewer.email} />
      <PasswordField
        label={label}
        autoComplete="current-password"
        maxLength={limits.password.max}
        {...rest}
      />
    </>
  );
}
