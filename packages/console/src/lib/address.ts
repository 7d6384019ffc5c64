import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

type Changes = Readonly<Record<string, string>>;

/** The state of a list, as its address has it. */
export interface ListState {
  /** The filters, and the cursor of the page. */
  readonly values: Readonly<Record<string, string>>;
  /** Filters by something else, from the first page on; an empty text takes the filter away. */
  readonly set: (changes: Changes) => void;
  /** `?…` of the present state, with changes: for addresses of records and views. */
  readonly query: (changes?: Changes) => string;
}

/** Reads and writes the query of the address: what is shown can be sent to somebody, and Back goes back. */
export function useListState(): ListState {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (changes: Changes) => setParams((before) => changed(before, { cursor: '', ...changes })),
    [setParams],
  );
  const query = (changes: Changes = {}) => {
    const text = changed(params, changes).toString();
    return text && `?${text}`;
  };
  return { values: Object.fromEntries(params), set, query };
}

function changed(params: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
