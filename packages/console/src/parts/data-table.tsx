import { type ReactNode, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useKeys } from '../context/keys.ts';
import { type ListSource, TableTools, useHidden } from './table-tools.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** True for amounts and counts, which are aligned at the end. */
  readonly end?: boolean;
  /** True for a column that medium widths leave out. */
  readonly wideOnly?: boolean;
}

export interface DataTableProps<Row> {
  /** The name of the list. */
  readonly label: string;
  /** The first column's cell is the row's link, and the card's title on a phone. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => number | string;
  readonly hrefOf?: (row: Row) => string;
  /** The id of the row whose sheet is open. */
  readonly selected?: number | string | undefined;
  /** True while newer rows are being loaded. */
  readonly busy?: boolean;
  /** The list behind the table, for its choice of columns and its spreadsheet. */
  readonly source?: ListSource;
  /** On a phone, shows two cells a line, without column names. */
  readonly dense?: boolean;
}

/** Rows in the service's order. On a phone each is a card. `j` and `k` move along the rows, Enter opens one. */
export function DataTable<Row>({
  label,
  columns: all,
  source,
  rows,
  idOf,
  hrefOf,
  selected,
  busy = false,
  dense = false,
}: DataTableProps<Row>) {
  const table = useRef<HTMLTableElement>(null);
  const [hidden, hide] = useHidden(source?.path ?? label);
  const columns = source ? all.filter(({ id }, i) => i === 0 || !hidden.includes(id)) : all;
  useRowKeys(table, selected === undefined && hrefOf !== undefined);
  return (
    <div className="table-place">
      {source && (
        <TableTools source={source} columns={all.slice(1)} hidden={hidden} onHide={hide} />
      )}
      {/* Explicit roles: the styles for phones would otherwise remove the elements' own. */}
      <table
        className={dense ? 'table dense' : 'table'}
        role="table"
        aria-label={label}
        aria-busy={busy}
        ref={table}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.id} role="columnheader" scope="col" className={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr
              key={idOf(row)}
              role="row"
              data-selected={idOf(row) === selected ? '' : undefined}
              className={hrefOf && 'linked'}
            >
              {columns.map((column, i) => (
                <td key={column.id} role="cell" data-name={column.name} className={classOf(column)}>
                  {i === 0 && hrefOf ? (
                    <Link
                      href={hrefOf(row)}
                      className="row-link"
                      aria-current={idOf(row) === selected ? 'true' : undefined}
                    >
                      {column.cell(row)}
                    </Link>
                  ) : (
                    <div>{column.cell(row)}</div>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = ({ end, wideOnly }: { end?: boolean; wideOnly?: boolean }) =>
  [end && 'end', wideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined;

function useRowKeys(table: React.RefObject<HTMLTableElement | null>, enabled: boolean): void {
  const move = (by: 1 | -1) => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('.row-link') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  };
  useKeys({ j: () => move(1), k: () => move(-1) }, { enabled });
}

/**
 * The addresses of the records before and after one in a list, for a sheet.
 * @returns nothing at the ends of the list
 */
export function useNeighbours<Row>(
  rows: readonly Row[],
  isOpen: (row: Row) => boolean,
  hrefOf: (row: Row) => string,
): { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined } {
  const [, navigate] = useLocation();
  const at = rows.findIndex(isOpen);
  const to = (row: Row | undefined) =>
    row === undefined ? undefined : () => navigate(hrefOf(row), { replace: true });
  return {
    onPrevious: at < 0 ? undefined : to(rows[at - 1]),
    onNext: at < 0 ? undefined : to(rows[at + 1]),
  };
}
