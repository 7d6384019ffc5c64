import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ComponentType, Fragment, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { AuditEntry } from '../../api/generated.ts';
import type { ListPage } from '../../api/list.ts';
import type { ListState } from '../../lib/address.ts';
import { useNeighbours } from '../../parts/data-table.tsx';
import { useMay, useStore } from '../../context/session.ts';
import { useGateway } from '../../parts/gateway.ts';
import { Money } from '../../parts/money.tsx';
import { CustomerLink, OrderLink, ProductLink } from '../../parts/names.tsx';
import { orderStatuses } from '../../parts/order-status.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useRoles } from '../team/team.ts';
import { texts } from './texts.ts';
import {
  actorHref,
  recordHref,
  recordName,
  useFieldName,
  useSaid,
  useSubject,
  useWho,
} from './words.ts';

interface EntrySheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly list: UseQueryResult<ListPage<AuditEntry>>;
  readonly hrefOf: (entry: AuditEntry) => string;
  readonly state: ListState;
}

export function EntrySheet({ id, list, hrefOf, state }: EntrySheetProps) {
  const said = useSaid();
  const [, navigate] = useLocation();
  const rows = list.data?.data ?? [];
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const entry = rows.find((row) => row.id === id);
  return (
    <Sheet
      title={entry && said(entry)}
      query={list}
      onClose={() => navigate(`/audit${state.query()}`)}
      {...neighbours}
    >
      {entry && <Shown entry={entry} />}
    </Sheet>
  );
}

function Shown({ entry }: { readonly entry: AuditEntry }) {
  const t = useTexts(texts).sheet;
  const who = useWho();
  const subjectOf = useSubject();
  const record = recordHref(entry);
  const actor = actorHref(entry);
  const { subject_type, subject_id, actor_type, actor_id } = entry;
  const ofRecord = new URLSearchParams({ subject_type, ...(subject_id && { subject_id }) });
  const ofActor = new URLSearchParams({ actor_type, ...(actor_id && { actor_id: `${actor_id}` }) });
  return (
    <>
      <Facts
        items={[
          [t.who, actor ? <Link href={actor}>{who(entry)}</Link> : who(entry)],
          [t.actingAs, entry.acting_as && <CustomerLink id={entry.acting_as} />],
          [t.when, <Time at={entry.at} as="both" />],
          [t.operation, <code>{entry.operation}</code>],
          [
            t.record,
            record && (
              <Link href={record}>{`${subjectOf(subject_type)} ${recordName(entry)}`}</Link>
            ),
          ],
          [t.reason, entry.reason],
          [t.request, entry.request_id && <code>{entry.request_id}</code>],
        ]}
      />
      <Section title={t.changed}>
        {entry.after ? <Change entry={entry} /> : <p className="faint">{t.noDifference}</p>}
      </Section>
      <p className="section">
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

/** Fields with the id of another record, and its name with a link. */
const links: Readonly<Record<string, ComponentType<{ readonly id: number }>>> = {
  user_id: CustomerLink,
  affiliate_id: CustomerLink,
  reviewed_by: CustomerLink,
  buyer_id: CustomerLink,
  product_id: ProductLink,
  product_ids: ProductLink,
  order_id: OrderLink,
  group_id: GroupName,
  staff_role_id: RoleName,
};

/** Fields with an amount of money. */
const amounts = new Set([
  'grand_total',
  'net_total',
  'refunded_total',
  'price',
  'next_price',
  'commission',
]);

function GroupName({ id }: { readonly id: number }) {
  const { data } = useQuery({
    queryKey: ['groups', 'list'],
    queryFn: async ({ signal }) => (await api.groups.list({ per_page: 100 }, { signal })).data,
    enabled: useMay()('users:read'),
  });
  return data?.find((group) => group.id === id)?.name ?? `#${id}`;
}

function RoleName({ id }: { readonly id: number }) {
  return useRoles().data?.find((role) => role.id === id)?.name ?? `#${id}`;
}

/** Returns a function that shows the value of a field: in words if the console has words for it, otherwise as it is. */
function useValue({ subject_type }: AuditEntry) {
  const ofOrders: Readonly<Record<string, string>> = useTexts(orderStatuses);
  const words: Readonly<Record<string, string>> = useTexts(texts).values;
  const gatewayOf = useGateway();
  const currency = useStore().currency ?? '';
  const valueOf = (name: string, value: unknown): ReactNode => {
    if (value === null || value === undefined) return '–';
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
      return value.map((each, index) => (
        <Fragment key={`${each}`}>
          {index > 0 && ', '}
          {valueOf(name, each)}
        </Fragment>
      ));
    }
    if (typeof value === 'number') {
      const Named = links[name];
      if (Named) return <Named id={value} />;
      if (amounts.has(name)) return <Money amount={value} currency={currency} />;
    }
    if (typeof value === 'boolean') return words[`${value}`];
    if (typeof value === 'object') return <Parts of={value} valueOf={valueOf} />;
    if (typeof value !== 'string') return JSON.stringify(value);
    if (name === 'status' && subject_type === 'orders') return ofOrders[value] ?? value;
    if (name === 'payment_gateway') return gatewayOf(value);
    if (isInstant(value)) return <Time at={value} as="moment" />;
    return (
      (named.has(name) && words[value]) || (value === '[personal]' && words['personal']) || value
    );
  };
  return valueOf;
}

interface PartsProps {
  readonly of: object;
  readonly valueOf: (name: string, value: unknown) => ReactNode;
}

function Parts({ of, valueOf }: PartsProps) {
  const fieldName = useFieldName();
  const parts = Object.entries(of).filter(([, value]) => value !== null && value !== '');
  return (
    <ul>
      {parts.map(([name, value]) => (
        <li key={name}>
          {Array.isArray(of) ? (
            valueOf('', value)
          ) : (
            <>
              {fieldName(name)}: {valueOf(name, value)}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Fields whose values are words of the API. */
const named = new Set(['status', 'state', 'roles', 'code', 'source']);
