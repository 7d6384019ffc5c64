import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

type Changes = Readonly<Record<string, string>>;

export interface ListState {
  /** The filters, and the cursor of the page. */
  readonly values: Readonly<Record<string, string>>;
  /** Changes a filter and returns to the first page; an empty text removes the filter. */
  readonly set: (changes: Changes) => void;
  /** The query (`?…`) of the current state with changes, for the addresses of records and views. */
  readonly query: (changes?: Changes) => string;
}

/** Reads and writes the query of the address, so that a view can be sent to somebody, and Back works. */
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
