import type { ComponentProps } from "react";
import { limits } from "../../shared/limits.ts";
import { TextField } from "../ui/field.tsx";

/** A field for an email address, with the right keyboard and nothing corrected. */
export const EmailField = (props: Partial<ComponentProps<typeof TextField>>) => (
  <TextField
    label="Email"
    name="email"
    type="email"
    inputMode="email"
    autoCapitalize="none"
    autoComplete="email"
    spellCheck={false}
    maxLength={limits.email.max}
    required
    {...props}
  />
);
