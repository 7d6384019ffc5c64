import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Risk } from '../../api/generated.ts';
import type { ListPage } from '../../api/list.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { useNeighbours } from '../../parts/data-table.tsx';
import { Field, TextArea } from '../../parts/field.tsx';
import { CustomerLink, useOrderNumbers } from '../../parts/names.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { RiskState } from './state.tsx';
import { texts } from './texts.ts';

interface RiskSheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly list: UseQueryResult<ListPage<Risk>>;
  readonly hrefOf: (risk: Risk) => string;
  readonly state: ListState;
}

export function RiskSheet({ id, list, hrefOf, state }: RiskSheetProps) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  const rows = list.data?.data ?? [];
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const risk = rows.find((row) => row.id === id);
  return (
    <Sheet
      title={risk && t.kinds[risk.kind]}
      query={list}
      aside={risk && <RiskState risk={risk} />}
      onClose={() => navigate(`/affiliates${state.query()}`)}
      {...neighbours}
      actions={risk && <Actions key={id} risk={risk} />}
    >
      {risk && <Shown risk={risk} />}
    </Sheet>
  );
}

interface Part {
  readonly risk: Risk;
}

const details = ['display_name', 'email', 'phone', 'bank_info'] as const;

function Shown({ risk }: Part) {
  const t = useTexts(texts);
  const may = useMay();
  const { evidence, affiliate_id, other_id, order_id, note, decided_at, trusted } = risk;
  const orders = evidence?.orders ?? (order_id === null ? [] : [order_id]);
  const numberOf = useOrderNumbers(orders);
  return (
    <>
      <Section title={t.evidence}>
        {evidence === null && <p className="faint">{t.gone}</p>}
        {evidence && (
          <table className="evidence">
            <thead>
              <tr>
                <td />
                <th scope="col">{t.person.affiliate}</th>
                <th scope="col">{t.person.other}</th>
              </tr>
            </thead>
            <tbody>
              {details.map((name) => (
                <tr key={name}>
                  <th scope="row">{t.details[name]}</th>
                  <td>{evidence.affiliate[name]}</td>
                  <td>{evidence.other[name]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Facts
        items={[
          [t.person.affiliate, evidence === null && <CustomerLink id={affiliate_id} />],
          [t.person.other, evidence === null && <CustomerLink id={other_id} />],
          [
            t.orders,
            orders.length > 0 &&
              orders.map((id) => (
                <span key={id}>
                  {may('orders:read') ? (
                    <Link href={`/orders/${id}`}>{numberOf(id)}</Link>
                  ) : (
                    id
                  )}{' '}
                </span>
              )),
          ],
          [t.decided, decided_at && <Time at={decided_at} as="both" />],
          [t.note, trusted ? [t.trusted, note].filter(Boolean).join(' · ') : note],
        ]}
      />
    </>
  );
}

function Actions({ risk }: Part) {
  const t = useTexts(texts);
  const may = useMay();
  const [asked, setAsked] = useState<'clear' | 'confirm'>();
  if (asked) return <Decision risk={risk} decision={asked} onDone={() => setAsked(undefined)} />;
  if (!may('risks:write') || risk.status === 'void') return null;
  return (
    <>
      {risk.status !== 'confirmed' && (
        <Button look="danger" onClick={() => setAsked('confirm')}>
          {t.confirm.verb}
        </Button>
      )}
      {risk.status !== 'cleared' && (
        <Button onClick={() => setAsked('clear')}>{t.clear.verb}</Button>
      )}
    </>
  );
}

interface DecisionProps extends Part {
  readonly decision: 'clear' | 'confirm';
  readonly onDone: () => void;
}

function Decision({ risk, decision, onDone }: DecisionProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const [trust, setTrust] = useState(false);
  const [note, setNote] = useState('');
  const action = useMutation({
    mutationFn: () =>
      api.risks.decide(risk, { decision, ...(trust && { trust }), ...(note && { note }) }),
    onSuccess: async () => {
      await client.invalidateQueries();
      toast(t[decision].done);
      onDone();
    },
  });
  return (
    <ActionForm
      action={action}
      verb={t[decision].verb}
      look={decision === 'confirm' ? 'danger' : 'primary'}
      onSubmit={() => action.mutate()}
      onCancel={onDone}
    >
      <p>{t[decision].text}</p>
      {decision === 'clear' && (
        <Choice name={t.clear.trust} hint={t.clear.trustHint} checked={trust} onChange={setTrust} />
      )}
      <Field name="note" label={t.note} error={action.error}>
        <TextArea value={note} maxLength={2000} onChange={(event) => setNote(event.target.value)} />
      </Field>
    </ActionForm>
  );
}
