import { useState } from "react";
import { feedFiles } from "../../shared/feeds.ts";
import type { OwnFeed, Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { SettingsRow } from "./settings-row.tsx";
import { SettingsSection } from "./settings-section.tsx";
import "./access-queries.ts";

const AskPassword = onDemand(() => import("../sign-in/ask-password-dialog.tsx"));

const names = { "feed.xml": "RSS", "atom.xml": "Atom", "feed.json": "JSON Feed" };

/** The secret feed addresses of what the viewer follows, shown after the password. */
export function FeedSettings({ viewer }: { viewer: Viewer }) {
  const [asked, setAsked] = useState<"show" | "renew">();
  const [feed, setFeed] = useState<OwnFeed>();
  const { data: access } = trpc.users.access.useQuery();
  const isShown = feed !== undefined && feed.renewals >= (access?.feedRenewals ?? 0);
  const reading = trpc.users.ownFeed.useMutation();
  const close = () => setAsked(undefined);
  return (
    <SettingsSection
      name="feed"
      action={
        <Button size="s" onClick={() => setAsked("renew")}>
          Renew address
        </Button>
      }
    >
      <p className="soft">
        The people and tags you follow, for your feed reader. Keep the address secret: anyone who has it can
        read what you can read. It’s renewed when you change your password or sign out everywhere else.
      </p>
      {isShown ? (
        <ul className="list">
          {feedFiles.map((file) => (
            <SettingsRow
              key={file}
              label={names[file]}
              action={
                <CopyButton text={`${feed.address}/${file}`} label={`Copy the address for ${names[file]}`} />
              }
            >
              {`${feed.address}/${file}`}
            </SettingsRow>
          ))}
        </ul>
      ) : (
        <Button className="self-start" onClick={() => setAsked("show")}>
          Show address
        </Button>
      )}
      {asked && (
        <AskPassword
          viewer={viewer}
          title={asked === "renew" ? "Renew the address?" : "Show the address of your feed"}
          action={asked === "renew" ? "Renew" : "Show"}
          danger={asked === "renew"}
          onClose={close}
          onPassword={async (password) => {
            setFeed(await reading.mutateAsync({ password, renew: asked === "renew" }));
            if (asked === "show") return close();
            return { message: "Your feed has a new address. Update it in your feed reader." };
          }}
        >
          {asked === "renew" && (
            <p>The current address stops working right away. Feed readers that use it get no more entries.</p>
          )}
        </AskPassword>
      )}
    </SettingsSection>
  );
}
