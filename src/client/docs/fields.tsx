import { Fragment } from "react";
import { schemaAnchor, boundsOf, fieldsOf, typeOf } from "./openapi.ts";
import type { Parameter, Schema } from "./openapi.ts";

/** An object's fields, nested ones indented. Named schemas are linked. */
export function Fields({ schema }: { schema: Schema }) {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return null;
  return (
    <ul className="fields">
      {fields.map((field) => (
        <li key={field.name}>
          <Field {...field} />
          {!field.schema.$ref && <Fields schema={field.schema} />}
        </li>
      ))}
    </ul>
  );
}

export function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <ul className="fields">
      {parameters.map(({ name, schema = {}, required = false, in: place }) => (
        <li key={name}>
          <Field
            name={name}
            schema={schema}
            isOptional={!required}
            place={place === "path" ? "in the path" : undefined}
          />
        </li>
      ))}
    </ul>
  );
}

interface FieldProps {
  name: string;
  schema: Schema;
  isOptional: boolean;
  place?: string | undefined;
}

function Field({ name, schema, isOptional, place }: FieldProps) {
  const notes = [
    isOptional ? "optional" : "",
    place ?? "",
    boundsOf(schema),
    schema.description ?? "",
  ].filter(Boolean);
  return (
    <div className="field-line">
      <code className="field-line-name">{name}</code>
      <Type schema={schema} />
      {notes.length > 0 && <span className="field-line-notes">{notes.join(", ")}</span>}
    </div>
  );
}

export function Type({ schema }: { schema: Schema }) {
  return (
    <code className="field-line-type">
      {typeOf(schema).map((part, index) => (
        <Fragment key={index}>
          {typeof part === "string" ? part : <a href={`#${schemaAnchor(part.shape)}`}>{part.shape}</a>}
        </Fragment>
      ))}
    </code>
  );
}
