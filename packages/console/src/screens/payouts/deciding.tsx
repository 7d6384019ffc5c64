import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../../client/src/errors.ts';
import { api } from '../../api/client.ts';
import type { PayoutRunWithLines } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useMoney } from '../../parts/money.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface RunProps {
  readonly run: PayoutRunWithLines;
}

/** Returns a function that refreshes the lists that a run changes. */
export function useRunChanged(): () => void {
  const client = useQueryClient();
  return () => {
    for (const name of ['payoutRuns', 'commissions', 'overview']) {
      void client.invalidateQueries({ queryKey: [name] });
    }
  };
}

/** Confirms the shown draft. If its sums have changed, it is shown again. */
export function Confirm({ run }: RunProps) {
  const t = useTexts(texts).confirm;
  const money = useMoney();
  const toast = useToast();
  const changed = useRunChanged();
  const [isOpen, setOpen] = useState(false);
  const confirm = useMutation({
    mutationFn: () => api.payoutRuns.confirm(run),
    onSuccess: () => {
      toast(t.done);
      setOpen(false);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'rest_conflict') {
        toast(t.moved);
        setOpen(false);
      }
    },
    onSettled: changed,
  });
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {t.open}
      </Button>
      {isOpen && (
        <Dialog
          onClose={() => setOpen(false)}
          title={t.title(money(run.totals.amount, run.currency))}
          text={t.text(run.totals.payable)}
        >
          <ActionForm
            action={confirm}
            verb={t.verb}
            onSubmit={() => confirm.mutate()}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  );
}

export function Discard({ run }: RunProps) {
  const t = useTexts(texts).discard;
  const toast = useToast();
  const changed = useRunChanged();
  const [isOpen, setOpen] = useState(false);
  const discard = useMutation({
    mutationFn: () => api.payoutRuns.discard(run.id),
    onSuccess: () => {
      toast(t.done);
      setOpen(false);
      changed();
    },
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.open}</Button>
      {isOpen && (
        <Dialog onClose={() => setOpen(false)} title={t.title} text={t.text}>
          <ActionForm
            action={discard}
            verb={t.verb}
            look="danger"
            onSubmit={() => discard.mutate()}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  );
}
