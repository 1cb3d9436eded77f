import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { trpc } from "../api/trpc.ts";
import { ImportForm } from "../imports/import-form.tsx";
import { ImportList } from "../imports/import-list.tsx";
import "../imports/import-queries.ts";
import { useViewer } from "../session/viewer.ts";
import { LinkButton } from "../ui/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { PageHead } from "../ui/page-head.tsx";
import "../settings/settings.css";
import "../imports/imports.css";

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  await request.data.imports.list.fetch();
  return { title: "Import" };
}

export default function ImportPage() {
  const viewer = useViewer();
  const query = trpc.imports.list.useQuery();
  if (!viewer) return null;
  return (
    <div className="page sections settings">
      <PageHead title="Import" actions={<LinkButton to="/settings">Settings</LinkButton>} />
      <QueryResult query={query} noun="imports">
        {({ runs }) => (
          <>
            <ImportForm
              isImporting={runs.some(({ state }) => /^(?:waiting|running|stopping|undoing)$/.test(state))}
              onStarted={() => void query.refetch()}
            />
            <ImportList runs={runs} />
          </>
        )}
      </QueryResult>
    </div>
  );
}
