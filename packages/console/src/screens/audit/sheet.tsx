import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { AuditEntry } from '../../api/generated.ts';
import type { ListState } from '../../lib/address.ts';
import { useNeighbours } from '../../parts/data-table.tsx';
import { useStore } from '../../context/session.ts';
import { useGateway } from '../../parts/gateway.ts';
import { Money } from '../../parts/money.tsx';
import { CustomerLink } from '../../parts/names.tsx';
import { orderStatuses } from '../../parts/order-status.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';
import { recordHref, useFieldName, useRecordName, useSaid, useSubject, useWho } from './words.ts';

interface EntrySheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly rows: readonly AuditEntry[];
  readonly hrefOf: (entry: AuditEntry) => string;
  readonly state: ListState;
}

/** A change, before and after. */
export function EntrySheet({ id, rows, hrefOf, state }: EntrySheetProps) {
  const said = useSaid(useRecordName(rows));
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const entry = rows.find((row) => row.id === id);
  if (!entry) return null;
  return (
    <Sheet title={said(entry)} onClose={() => navigate(`/audit${state.query()}`)} {...neighbours}>
      <Shown entry={entry} />
    </Sheet>
  );
}

function Shown({ entry }: { readonly entry: AuditEntry }) {
  const t = useTexts(texts).sheet;
  const who = useWho();
  const subjectOf = useSubject();
  const nameOf = useRecordName([entry]);
  const record = recordHref(entry);
  const { subject_type, subject_id, actor_type, actor_id } = entry;
  const ofRecord = new URLSearchParams({ subject_type, ...(subject_id && { subject_id }) });
  const ofActor = new URLSearchParams({ actor_type, ...(actor_id && { actor_id: `${actor_id}` }) });
  return (
    <>
      <Facts
        items={[
          [t.who, who(entry)],
          [t.actingAs, entry.acting_as && <CustomerLink id={entry.acting_as} />],
          [t.when, <Time at={entry.at} as="both" />],
          [t.operation, <code>{entry.operation}</code>],
          [
            t.record,
            record && <Link href={record}>{`${subjectOf(subject_type)} ${nameOf(entry)}`}</Link>,
          ],
          [t.reason, entry.reason],
          [t.request, entry.request_id && <code>{entry.request_id}</code>],
        ]}
      />
      <Section title={t.changed}>
        {entry.after ? <Change entry={entry} /> : <p className="faint">{t.noDifference}</p>}
      </Section>
      <p>
        <Link href={`/audit?${ofRecord.toString()}`}>{t.all}</Link>
        {' · '}
        <Link href={`/audit?${ofActor.toString()}`}>{t.by}</Link>
      </p>
    </>
  );
}

function Change({ entry }: { readonly entry: AuditEntry }) {
  const { before, after } = entry;
  const valueOf = useValue(entry);
  const fieldName = useFieldName();
  const t = useTexts(texts).sheet;
  return (
    <table className="plain-table change">
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {Object.keys(after ?? {}).map((name) => (
          <tr key={name}>
            <th scope="row">{fieldName(name)}</th>
            <td>{valueOf(name, before?.[name])}</td>
            <td>{valueOf(name, after?.[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isInstant = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

/** Fields with a user's id, and fields with an amount of money. */
const people = new Set(['user_id', 'affiliate_id', 'reviewed_by', 'buyer_id']);
const amounts = new Set([
  'grand_total',
  'net_total',
  'refunded_total',
  'price',
  'next_price',
  'commission',
]);

/** Describes a field's value in words, if the console has any for it. */
function useValue({ subject_type }: AuditEntry) {
  const statuses: Readonly<Record<string, string>> = useTexts(orderStatuses);
  const gatewayOf = useGateway();
  const currency = useStore().currency ?? '';
  return (name: string, value: unknown): ReactNode => {
    if (value === null) return '–';
    if (typeof value === 'number') {
      if (people.has(name)) return <CustomerLink id={value} />;
      if (amounts.has(name)) return <Money amount={value} currency={currency} />;
    }
    if (typeof value !== 'string') return textOf(value);
    if (name === 'status' && subject_type === 'orders') return statuses[value] ?? value;
    if (name === 'payment_gateway') return gatewayOf(value);
    return isInstant(value) ? <Time at={value} as="moment" /> : value;
  };
}

/** A field's value; empty if the record did not have it before. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
