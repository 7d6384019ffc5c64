import { Link } from 'wouter';
import type { PayoutLine, PayoutRunWithLines } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Money, useMoney } from '../../parts/money.tsx';
import { useTexts } from '../../texts/texts.ts';
import { LineResult } from './results.tsx';
import { LineState } from './states.tsx';
import { texts } from './texts.ts';

interface LineTableProps {
  /** The run, if results of its lines may be recorded. */
  readonly run?: PayoutRunWithLines;
  readonly lines: readonly PayoutLine[];
}

export function LineTable({ run, lines }: LineTableProps) {
  const t = useTexts(texts);
  const may = useMay();
  const columns = useColumns();
  const isConfirmed = run?.status === 'confirmed';
  const results: readonly Column<PayoutLine>[] = isConfirmed
    ? [
        {
          id: 'result',
          name: t.columns.result,
          cell: (line) => (
            <>
              <LineState status={line.status} />
              {may('payouts:write') && <LineResult run={run} line={line} />}
            </>
          ),
        },
      ]
    : [];
  return (
    <DataTable
      label={run ? t.columns.amount : t.columns.note}
      columns={[...columns, ...results]}
      rows={lines}
      idOf={({ id }) => id}
    />
  );
}

function useColumns(): readonly Column<PayoutLine>[] {
  const t = useTexts(texts);
  const money = useMoney();
  const may = useMay();
  return [
    {
      id: 'affiliate',
      name: t.columns.affiliate,
      cell: ({ affiliate: { id, display_name } }) =>
        may('users:read') ? <Link href={`/customers/${id}`}>{display_name}</Link> : display_name,
    },
    {
      id: 'amount',
      name: t.columns.amount,
      end: true,
      cell: ({ amount, carried_over }) => (
        <>
          <Money amount={amount} />
          {carried_over !== 0 && (
            <span className="faint small"> {t.carriedOver(money(carried_over))}</span>
          )}
        </>
      ),
    },
    { id: 'account', name: t.columns.account, cell: ({ account_text }) => account_text },
    {
      id: 'note',
      name: t.columns.note,
      cell: ({ issues, reason }) =>
        [...issues.map((issue) => t.issues[issue]), ...(reason === null ? [] : [reason])].join(
          ' · ',
        ),
    },
  ];
}
