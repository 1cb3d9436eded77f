import { Icon } from "../ui/icon.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Fields, Parameters, Type } from "./fields.tsx";
import { curlOf } from "./openapi.ts";
import type { Call, Schema } from "./openapi.ts";
import "./api-call.css";

export function ApiCall({ call, server }: { call: Call; server: string }) {
  const { id, method, path, summary, needsToken, parameters, body, form, answer } = call;
  return (
    <details className="call" id={id}>
      <summary>
        <h3 className="call-title">{summary}</h3>
        <span className="call-line">
          <code>
            <span className="call-method" data-method={method}>
              {method}
            </span>{" "}
            <Path path={path} />
          </code>
          {needsToken && (
            <span className="call-token">
              <Icon name="lock" size={14} /> needs a token
            </span>
          )}
        </span>
      </summary>
      {parameters.length > 0 && (
        <Part title="Parameters">
          <Parameters parameters={parameters} />
        </Part>
      )}
      {body && (
        <Part title="Body" note="JSON">
          <Fields schema={body} />
        </Part>
      )}
      {form && (
        <Part title="Body" note="multipart/form-data">
          <p className="call-form">{form}</p>
        </Part>
      )}
      {answer && (
        <Part title="Answer">
          <Answer schema={answer} />
        </Part>
      )}
      <Example text={curlOf(call, server)} />
    </details>
  );
}

/** Can break at its slashes. */
function Path({ path }: { path: string }) {
  return path.split("/").map((segment, index) =>
    index === 0 ? null : (
      <span key={index}>
        /<wbr />
        {segment}
      </span>
    ),
  );
}

function Part({ title, note, children }: { title: string; note?: string; children: React.ReactNode }) {
  return (
    <div className="call-part">
      <h4>
        {title}
        {note && <span className="call-note"> {note}</span>}
      </h4>
      {children}
    </div>
  );
}

function Answer({ schema }: { schema: Schema }) {
  return schema.$ref ? <Type schema={schema} /> : <Fields schema={schema} />;
}

export function Example({ text }: { text: string }) {
  return (
    <div className="example">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label="Copy the example" />
    </div>
  );
}
