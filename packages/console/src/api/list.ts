import { type UseQueryResult, keepPreviousData, useQuery } from '@tanstack/react-query';

/** A page of a list, as the service answers it. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly meta: {
    readonly next_cursor?: string | null | undefined;
    readonly pagination?: { readonly total?: number | null | undefined } | undefined;
  };
}

/**
 * A page of a list; while another one is asked for, the one before stays.
 * @param name what is listed: writes forget it by this
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
