import { Form } from "react-router-dom";
import type { PeopleState } from "../../shared/moderation.ts";
import { pageInQuery } from "../../shared/paging.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { PeopleSkeleton } from "../profiles/person-row.tsx";
import { StaffList } from "./staff-list.tsx";
import { Row } from "./staff-person.tsx";

const sorts = { newest: "Newest first", seen: "Last seen", name: "By username" } as const;
type Sort = keyof typeof sorts;
const states: Record<PeopleState, string> = {
  all: "Everyone",
  suspended: "Suspended",
  limited: "Limited",
  staff: "Moderators",
  unverified: "Not confirmed",
};

interface PeopleSearch {
  query: string;
  sort: Sort;
  state: PeopleState;
  page: number;
}

/** Reads the search from an address. */
export function peopleSearchIn(search: URLSearchParams): PeopleSearch {
  const [sort, state] = [search.get("sort") ?? "", search.get("state") ?? ""];
  return {
    query: (search.get("q") ?? "").slice(0, 200),
    sort: Object.hasOwn(sorts, sort) ? (sort as Sort) : "newest",
    state: Object.hasOwn(states, state) ? (state as PeopleState) : "all",
    page: pageInQuery(search),
  };
}

export function StaffPeople({ filter }: { filter: PeopleSearch }) {
  const { query, sort, state, page } = filter;
  const result = trpc.moderation.people.useQuery(filter);
  return (
    <>
      <Form className="row wrap gap-3 staff-search" action="/admin/people" key={`${query} ${sort} ${state}`}>
        <TextField type="search" name="q" label="Name, username or email address" defaultValue={query} />
        <Choice name="state" label="Who" options={states} chosen={state} />
        <Choice name="sort" label="Order" options={sorts} chosen={sort} />
        <Button type="submit">Find</Button>
      </Form>
      <StaffList
        query={result}
        noun="people"
        fallback={<PeopleSkeleton count={1} />}
        rows={({ people }) => people}
        empty={{ title: query ? `Nobody is found by “${query}”` : "There is nobody" }}
        pages={{ action: "/admin/people", parameters: { ...(query ? { q: query } : {}), sort, state }, page }}
      >
        {(person) => <Row key={person.id} person={person} />}
      </StaffList>
    </>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: Record<string, string>;
  chosen: string;
}

/** A select in a form of `/admin`. */
export function Choice({ name, label, options, chosen }: ChoiceProps) {
  return (
    <div className="field">
      <label htmlFor={`staff-${name}`} className="field-label">
        {label}
      </label>
      <select id={`staff-${name}`} name={name} className="field-box" defaultValue={chosen}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
