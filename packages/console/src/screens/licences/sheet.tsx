import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { License } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { CodeBox } from '../../parts/copy-button.tsx';
import { useNeighbours } from '../../parts/data-table.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { CustomerLink, OrderLink } from '../../parts/names.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { LicenseState, useSeats } from './state.tsx';
import { texts } from './texts.ts';

interface LicenseSheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly rows: readonly License[];
  readonly hrefOf: (license: License) => string;
  readonly state: ListState;
}

export function LicenseSheet({ id, rows, hrefOf, state }: LicenseSheetProps) {
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const listed = rows.find((row) => row.id === id);
  // Reads the licence if the list beside the sheet lacks it. Lists mask codes.
  const query = useQuery({
    queryKey: ['licenses', 'list', 'one', id],
    queryFn: async ({ signal }) => (await api.licenses.list({ search: `${id}` }, { signal })).data,
    enabled: !listed,
  });
  const { data } = query;
  const license = listed ?? data?.find((row) => row.id === id);
  return (
    <Sheet
      title={license?.code}
      query={query}
      aside={license && <LicenseState license={license} />}
      onClose={() => navigate(`/licences${state.query()}`)}
      {...neighbours}
      actions={license && <Actions key={id} license={license} />}
    >
      {license && <Shown key={id} license={license} />}
    </Sheet>
  );
}

interface Part {
  readonly license: License;
}

function Shown({ license }: Part) {
  const t = useTexts(texts);
  const may = useMay();
  const seatsOf = useSeats();
  const { user_id, order_id, expires_at, activations } = license;
  const mayWrite = may('licenses:write');
  return (
    <>
      <Facts
        items={[
          [t.facts.code, <Code license={license} />],
          [t.facts.owner, <CustomerLink id={user_id} />],
          [t.facts.order, order_id !== null && <OrderLink id={order_id} />],
          [t.facts.seats, seatsOf(license)],
          [t.facts.ends, expires_at ? <Time at={expires_at} as="both" /> : t.never],
        ]}
      />
      <Section title={t.uses}>
        {activations.length === 0 && <p className="faint">{t.nowhere}</p>}
        <ul className="entries">
          {activations.map(({ id, string, label, seat, last_seen_at }) => (
            <li key={id}>
              <span className="entry-what">
                {string}{' '}
                <span className="faint">
                  {[label, !seat && t.noSeat].filter(Boolean).join(' · ')}
                </span>
              </span>
              <span className="faint small">
                {t.lastSeen} <Time at={last_seen_at} as="distance" />
              </span>
              {mayWrite && <Free license={license} string={string} />}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t.check.title}>
        <Check license={license} />
      </Section>
    </>
  );
}

/** Frees the seat of a place that uses a licence. */
function Free({ license: { id }, string }: Part & { readonly string: string }) {
  const t = useTexts(texts).free;
  const client = useQueryClient();
  const toast = useToast();
  const free = useMutation({
    mutationFn: async () => {
      const { code } = (await api.licenses.get(id)).data;
      return api.licenses.unregister({ license: code, string });
    },
    onSuccess: () => {
      toast(t.done(string));
      void client.invalidateQueries({ queryKey: ['licenses'] });
    },
    onError: (error) => toast(error.message),
  });
  return (
    <Button
      look="quiet"
      aria-label={`${t.verb}: ${string}`}
      busy={free.isPending}
      onClick={() => free.mutate()}
    >
      {t.verb}
    </Button>
  );
}

/** Checks a licence as the app at a site would. */
function Check({ license: { id, activations } }: Part) {
  const t = useTexts(texts).check;
  const [string, setString] = useState(activations[0]?.string ?? '');
  const check = useMutation({
    mutationFn: async () => {
      const { code } = (await api.licenses.get(id)).data;
      return api.licenses.validate({ license: code, ...(string && { string }) });
    },
  });
  const { data, error } = check;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate();
      }}
    >
      <Field name="string" label={t.string} hint={t.hint} error={error}>
        <TextInput value={string} onChange={({ target }) => setString(target.value)} />
      </Field>
      <div>
        <Button type="submit" busy={check.isPending}>
          {t.verb}
        </Button>
      </div>
      {error && <ErrorView error={error} />}
      {data && (
        <p role="status">
          <Status tone={data.valid ? 'good' : 'bad'}>{data.valid ? t.valid : t.invalid}</Status>{' '}
          {t.codes[data.code]}
        </p>
      )}
    </form>
  );
}

/** Shows the whole code on demand, by a request of its own, which the log records. */
function Code({ license: { id } }: Part) {
  const t = useTexts(texts);
  const reveal = useMutation({ mutationFn: async () => (await api.licenses.get(id)).data.code });
  if (reveal.data) return <CodeBox text={reveal.data} label={t.code} />;
  return (
    <>
      {reveal.error && <ErrorView error={reveal.error} />}
      <Button busy={reveal.isPending} onClick={() => reveal.mutate()}>
        {t.reveal}
      </Button>
    </>
  );
}

function Actions({ license }: Part) {
  const t = useTexts(texts);
  const may = useMay();
  const [asked, setAsked] = useState<'reset' | 'resend'>();
  const onDone = () => setAsked(undefined);
  if (asked === 'reset') return <Reset license={license} onDone={onDone} />;
  if (asked === 'resend') return <Resend license={license} onDone={onDone} />;
  const mayResend = may('messages:read') && may('messages:send') && license.order_id !== null;
  const mayReset = may('licenses:write') && license.activations.length > 0;
  if (!mayResend && !mayReset) return null;
  return (
    <>
      {mayResend && <Button onClick={() => setAsked('resend')}>{t.resend.verb}</Button>}
      {mayReset && (
        <Button look="danger" onClick={() => setAsked('reset')}>
          {t.reset.verb}
        </Button>
      )}
    </>
  );
}

interface ActionProps extends Part {
  readonly onDone: () => void;
}

function Reset({ license, onDone }: ActionProps) {
  const t = useTexts(texts).reset;
  const client = useQueryClient();
  const toast = useToast();
  const { id, activations, max_resets, reset_count } = license;
  const reset = useMutation({
    mutationFn: async () => {
      const { code } = (await api.licenses.get(id)).data;
      return api.licenses.reset({ license: code });
    },
    onSuccess: () => {
      toast(t.done);
      onDone();
      void client.invalidateQueries({ queryKey: ['licenses'] });
    },
  });
  return (
    <ActionForm
      className="action"
      action={reset}
      verb={t.verb}
      look="danger"
      onSubmit={() => reset.mutate()}
      onCancel={onDone}
    >
      <p>{t.text(activations.length, Math.max(0, max_resets - reset_count))}</p>
    </ActionForm>
  );
}

function Resend({ license: { order_id }, onDone }: ActionProps) {
  const t = useTexts(texts).resend;
  const toast = useToast();
  const { data } = useQuery({
    queryKey: ['licenses', 'message', order_id],
    queryFn: async ({ signal }) => {
      const query = { order_id: order_id ?? 0, kind: 'order-completed', per_page: 1 } as const;
      return (await api.messages.list(query, { signal })).data;
    },
  });
  const [message] = data ?? [];
  const resend = useMutation({
    mutationFn: () => api.messages.resend(message?.id ?? 0),
    onSuccess: () => {
      toast(t.done);
      onDone();
    },
  });
  return (
    <ActionForm
      className="action"
      action={resend}
      verb={t.verb}
      disabled={!message}
      onSubmit={() => resend.mutate()}
      onCancel={onDone}
    >
      <p>{data && !message ? t.none : t.text}</p>
    </ActionForm>
  );
}
