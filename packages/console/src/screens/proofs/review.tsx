import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { ConfirmationReview } from '../../api/generated.ts';
import { useTold } from '../../context/senders.ts';
import { useKeys } from '../../context/keys.ts';
import { useMay } from '../../context/session.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Field, TextArea } from '../../parts/field.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { ProofProps } from './props.ts';
import { texts } from './texts.ts';

/**
 * Approves or rejects a proof by a click or a key; the next one follows. A proof with discrepancies takes a second
 * click.
 */
export function Review(props: ProofProps) {
  const may = useMay();
  return may('confirmations:write') ? <Decision {...props} /> : null;
}

function Decision({ proof, onReviewed }: ProofProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const [asked, setAsked] = useState<'approval' | 'rejection'>();
  const number = proof.order?.number ?? `#${proof.order_id}`;
  const told = useTold(proof.order?.user);
  const review = useMutation({
    mutationFn: (body: ConfirmationReview) => api.confirmations.review(proof, body),
    onSuccess: async (_, { status }) => {
      toast(status === 'approved' ? t.approvedNow(number) : t.rejectedNow(number));
      for (const name of ['orders', 'overview']) {
        void client.invalidateQueries({ queryKey: [name] });
      }
      await client.invalidateQueries({ queryKey: ['proofs'] });
      onReviewed?.();
    },
  });
  // A buyer who stated no amount did not state a wrong one: the reviewer sees it in the picture.
  const isRight = proof.amount_matches || proof.detail.total === null;
  const matches = isRight && proof.similar.length === 0;
  const approve = () => review.mutate({ status: 'approved' });
  const decide = matches ? approve : () => setAsked('approval');
  const reject = () => setAsked('rejection');
  const keys = { r: reject, R: reject, ...(matches && { a: approve, A: approve }) };
  useKeys(keys, { enabled: !asked && !review.isPending });
  if (asked === 'rejection')
    return <Rejection action={review} told={told} onCancel={() => setAsked(undefined)} />;
  if (asked === 'approval') {
    return (
      <ActionForm
        action={review}
        verb={t.approveAnyway}
        onSubmit={approve}
        onCancel={() => setAsked(undefined)}
      >
        <p>{t.approvesAnyway}</p>
      </ActionForm>
    );
  }
  return (
    <div className="proof-decision">
      {review.error && <ErrorView error={review.error} />}
      <p className="small faint">
        {t.follows} {told}
      </p>
      <div className="form-actions">
        <Button look="danger" disabled={review.isPending} onClick={reject}>
          {t.reject}
        </Button>
        <Button look="primary" busy={review.isPending} onClick={decide}>
          {t.approve}
        </Button>
      </div>
      <p className="small faint wide-only">{matches ? t.keys : t.keyOfRejection}</p>
    </div>
  );
}

interface RejectionProps {
  readonly action: UseMutationResult<unknown, Error, ConfirmationReview>;
  readonly told: string;
  readonly onCancel: () => void;
}

function Rejection({ action, told, onCancel }: RejectionProps) {
  const t = useTexts(texts);
  const [reason, setReason] = useState('');
  return (
    <ActionForm
      action={action}
      verb={t.reject}
      look="danger"
      onSubmit={() => action.mutate({ status: 'rejected', reject_reason: reason })}
      onCancel={onCancel}
    >
      <p>
        {t.rejectFollows} {told}
      </p>
      <ul className="reasons">
        {t.reasons.map((each) => (
          <li key={each}>
            <Button onClick={() => setReason(each)}>{each}</Button>
          </li>
        ))}
      </ul>
      <Field
        name="reject_reason"
        label={t.reason}
        hint={t.reasonHint}
        error={action.error}
        required
      >
        <TextArea
          required
          rows={2}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
    </ActionForm>
  );
}
