import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { PayoutLine, PayoutRunWithLines } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useRunChanged } from './deciding.tsx';
import { texts } from './texts.ts';

interface LineProps {
  readonly run: PayoutRunWithLines;
  readonly line: PayoutLine;
}

/** Records that the money of a line arrived or was returned. */
export function LineResult({ run, line }: LineProps) {
  const t = useTexts(texts).results;
  const toast = useToast();
  const changed = useRunChanged();
  const [isOpen, setOpen] = useState(false);
  const paid = useMutation({
    mutationFn: () => api.payoutRuns.setResult(run.id, line.id, { result: 'paid' }),
    onSuccess: () => toast(t.done),
    onSettled: changed,
  });
  const who = line.affiliate.display_name;
  if (line.status === 'returned') return null;
  return (
    <div className="run-results">
      {line.status === 'confirmed' && (
        <Button aria-label={t.of(t.paid, who)} busy={paid.isPending} onClick={() => paid.mutate()}>
          {t.paid}
        </Button>
      )}
      <Button look="quiet" aria-label={t.of(t.returned, who)} onClick={() => setOpen(true)}>
        {t.returned}
      </Button>
      {isOpen && <Returned run={run} line={line} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Returned({ run, line, onClose }: LineProps & { readonly onClose: () => void }) {
  const t = useTexts(texts).results;
  const toast = useToast();
  const changed = useRunChanged();
  const [reason, setReason] = useState('');
  const returned = useMutation({
    mutationFn: () =>
      api.payoutRuns.setResult(run.id, line.id, {
        result: 'returned',
        ...(reason.trim() !== '' && { reason }),
      }),
    onSuccess: () => {
      toast(t.done);
      changed();
      onClose();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={t.returnedTitle(line.affiliate.display_name)}
      text={t.returnedText}
    >
      <ActionForm
        action={returned}
        verb={t.verb}
        look="danger"
        onSubmit={() => returned.mutate()}
        onCancel={onClose}
      >
        <Field name="reason" label={t.reason} error={returned.error}>
          <TextInput value={reason} onChange={({ target }) => setReason(target.value)} />
        </Field>
      </ActionForm>
    </Dialog>
  );
}

/** Records every shown line without a result as paid. */
export function RestPaid({ run }: Pick<LineProps, 'run'>) {
  const t = useTexts(texts).results;
  const toast = useToast();
  const changed = useRunChanged();
  const open = run.lines.filter(({ status }) => status === 'confirmed');
  const paid = useMutation({
    mutationFn: () =>
      api.payoutRuns.setResults(run.id, {
        results: open.map(({ id }) => ({ id, result: 'paid' as const })),
      }),
    onSuccess: () => toast(t.done),
    onSettled: changed,
  });
  if (open.length === 0) return null;
  return (
    <Button look="primary" busy={paid.isPending} onClick={() => paid.mutate()}>
      {t.rest}
    </Button>
  );
}
