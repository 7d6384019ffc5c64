import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../../../client/src/errors.ts';
import { api } from '../../api/client.ts';
import { useStore } from '../../context/session.ts';
import { amountOf } from '../../lib/money.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export function NewRun({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { noAmount } = useTexts(common);
  const store = useStore();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [until, setUntil] = useState('');
  const [typed, setTyped] = useState('');
  const minimum = typed.trim() === '' ? 0 : amountOf(typed, store);
  const draft = useMutation({
    mutationFn: () =>
      api.payoutRuns.create({ ...(until !== '' && { until }), minimum: minimum ?? 0 }),
    onSuccess: ({ data }) => {
      client.setQueryData(['payoutRuns', data.id], data);
      void client.invalidateQueries({ queryKey: ['payoutRuns', 'list'] });
      navigate(`/payouts/${data.id}`);
      onClose();
    },
  });
  const { error } = draft;
  const isNothing = error instanceof ApiError && error.code === 'nothing_payable';
  return (
    <Dialog onClose={onClose} title={t.draft.title} text={t.draft.text}>
      <ActionForm
        action={isNothing ? { isPending: draft.isPending, error: null } : draft}
        verb={t.new}
        disabled={minimum === undefined}
        onSubmit={() => draft.mutate()}
        onCancel={onClose}
      >
        <Field name="until" label={t.draft.until} hint={t.draft.untilHint} error={error}>
          <TextInput type="date" value={until} onChange={({ target }) => setUntil(target.value)} />
        </Field>
        <Field
          name="minimum"
          label={t.draft.minimum}
          hint={t.draft.minimumHint}
          error={error}
          complaint={minimum === undefined ? noAmount : undefined}
        >
          <TextInput
            inputMode="decimal"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        {isNothing && <p role="alert">{t.draft.nothing}</p>}
      </ActionForm>
    </Dialog>
  );
}
