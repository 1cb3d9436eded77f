import { useNavigate } from "react-router-dom";
import { feedFiles } from "../../shared/feeds.ts";
import { messages } from "../../shared/errors.ts";
import { trpc } from "../api/trpc.ts";
import { showFailure } from "../session/failure.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { toast } from "../ui/toasts.tsx";
import { SettingsRow } from "./settings-row.tsx";
import "./access-queries.ts";

const names = { "feed.xml": "RSS", "atom.xml": "Atom", "feed.json": "JSON Feed" };

/** The secret feed addresses of what the viewer follows. */
export function FeedSettings() {
  const navigate = useNavigate();
  const query = trpc.users.ownFeed.useQuery();

  const renewal = trpc.users.renewOwnFeed.useMutation({
    onSuccess: async () => {
      await query.refetch();
      toast({ kind: "success", message: "Your feed has a new address. Update it in your feed reader." });
    },
    onError: (error) => showFailure(error, navigate, () => renewal.mutate(), messages.update),
  });
  const confirmRenewal = async (): Promise<void> => {
    const body =
      "The current address stops working right away. Feed readers that use it get no more entries.";
    if (await confirm({ title: "Renew the address?", body, action: "Renew", danger: true })) renewal.mutate();
  };
  return (
    <section className="settings-part" aria-labelledby="settings-feed">
      <div className="settings-head">
        <h2 id="settings-feed">Your feed</h2>
        <Button size="s" busy={renewal.isPending} onClick={() => void confirmRenewal()}>
          Renew address
        </Button>
      </div>
      <p className="settings-text">
        The people and tags you follow, for your feed reader. Keep the address secret: anyone who has it can
        read what you can read.
      </p>
      <QueryResult isInline query={query} noun="your feed">
        {({ address }) => (
          <ul className="settings-rows">
            {feedFiles.map((file) => (
              <SettingsRow
                key={file}
                label={names[file]}
                action={
                  <CopyButton text={`${address}/${file}`} label={`Copy the address for ${names[file]}`} />
                }
              >
                {`${address}/${file}`}
              </SettingsRow>
            ))}
          </ul>
        )}
      </QueryResult>
    </section>
  );
}
