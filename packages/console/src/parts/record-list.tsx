import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ListPage } from '../api/list.ts';
import type { ListState } from '../lib/address.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { ErrorView } from './error-view.tsx';
import { Pager } from './pager.tsx';

interface RecordListProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'busy'> {
  readonly list: UseQueryResult<ListPage<Row>>;
  readonly state: ListState;
  /** Replaces the table if the list has no records. */
  readonly empty: ReactNode;
}

export function RecordList<Row>({ list, state, empty, ...table }: RecordListProps<Row>) {
  const { data, error, refetch, isPlaceholderData } = list;
  return (
    <>
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && empty}
      {data && data.data.length > 0 && (
        <>
          <DataTable {...table} rows={data.data} busy={isPlaceholderData} />
          <Pager state={state} next={data.meta.next_cursor} total={data.meta.pagination?.total} />
        </>
      )}
    </>
  );
}
