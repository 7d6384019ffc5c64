import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Webhook } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

type Since = keyof (typeof texts)['en']['sinceWhen'];

/** The hours of each choice; a failing webhook starts at its first failure. */
const hours: Readonly<Record<Exclude<Since, 'failing'>, number>> = { hour: 1, day: 24, week: 168 };

interface ReplayProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Sends the events since a moment again, and shows their number beforehand. */
export function Replay({ webhook, onClose }: ReplayProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const [opened] = useState(() => Date.now());
  const { failing_since } = webhook;
  const [since, setSince] = useState<Since>(failing_since ? 'failing' : 'day');
  const offered: readonly Since[] = [
    ...(failing_since ? (['failing'] as const) : []),
    ...(['hour', 'day', 'week'] as const),
  ];
  const from =
    since === 'failing'
      ? (failing_since ?? '')
      : new Date(opened - hours[since] * 3_600_000).toISOString();
  const { data, error } = useQuery({
    queryKey: ['webhooks', webhook.id, 'replay', from],
    queryFn: async ({ signal }) =>
      (await api.webhooks.countReplay(webhook.id, { from }, { signal })).data.replayed,
  });
  const replay = useMutation({
    mutationFn: () => api.webhooks.replay(webhook.id, { from }),
    onSuccess: async () => {
      toast(t.replayed);
      onClose();
      await client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <Dialog title={t.replay} text={t.replayText} onClose={onClose}>
      <ActionForm
        action={{ ...replay, error: error ?? replay.error }}
        verb={t.replay}
        disabled={!data}
        onSubmit={() => replay.mutate()}
        onCancel={onClose}
      >
        <Field name="from" label={t.replayFrom} hint={<Time at={from} as="both" />} required>
          <Select
            value={since}
            options={offered.map((each) => [each, t.sinceWhen[each]])}
            onChange={setSince}
          />
        </Field>
        <Count events={data} />
      </ActionForm>
    </Dialog>
  );
}

function Count({ events }: { readonly events: number | undefined }) {
  const { replayCount } = useTexts(texts);
  return (
    <p aria-live="polite">
      <strong>{events === undefined ? ' ' : replayCount(events)}</strong>
    </p>
  );
}
