import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import type { PageProps } from "../app/page.ts";
import { useNavigation } from "../app/use-navigation.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import "./problem-page.css";

/** Where a page could not be made. */
export default function ErrorPage({ failure = messages.wrong }: PageProps) {
  const navigation = useNavigation();
  return (
    <div className="page problem">
      <h1>{failure}</h1>
      <p className="problem-text">The page could not be loaded. It may work in a moment.</p>
      <div className="problem-actions">
        <Button kind="primary" onClick={() => void navigation?.reload()}>
          Retry
        </Button>
        <LinkButton to={routes.home()}>Go to the home page</LinkButton>
      </div>
    </div>
  );
}
