import { type UseQueryResult, keepPreviousData, useQuery } from '@tanstack/react-query';

export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly meta: {
    readonly next_cursor?: string | null | undefined;
    readonly pagination?: { readonly total?: number | null | undefined } | undefined;
  };
}

/**
 * Reads a page of a list; the page before stays until it arrives.
 * @param name the resource, by which writes invalidate the list
 */
export const useList = <Row, Query>(
  name: string,
  query: Query,
  read: (query: Query, options: { readonly signal: AbortSignal }) => Promise<ListPage<Row>>,
): UseQueryResult<ListPage<Row>> =>
  useQuery({
    queryKey: [name, 'list', query],
    queryFn: ({ signal }) => read(query, { signal }),
    placeholderData: keepPreviousData,
  });
