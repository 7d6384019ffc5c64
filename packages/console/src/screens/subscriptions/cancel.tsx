import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useTold } from '../../context/senders.ts';
import { Field, TextInput } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type ActionProps, Effects, Taken } from './taking.tsx';
import { texts } from './texts.ts';

type When = 'end' | 'now';

export function Cancel({ subscription, onDone }: ActionProps) {
  const { cancel: t, days } = useTexts(texts);
  const { status, end_date, days_left, cancelled_at, user, orders } = subscription;
  const isRunning = status !== 'expired';
  const [chosen, setChosen] = useState<When>('end');
  const when = cancelled_at === null || !isRunning ? chosen : 'now';
  const [reason, setReason] = useState('');
  const told = useTold({ id: user.id, email: user.email ?? '' });
  const unpaid = orders.filter(({ status: each }) => each === 'on-hold');
  const reviewed = orders.find(({ status: each }) => each === 'payment-confirm');
  const isHindered = when === 'now' && reviewed !== undefined;
  return (
    <Taken
      subscription={subscription}
      verb={t.verb}
      look="danger"
      done={t.done}
      disabled={isHindered}
      take={() => api.subscriptions.cancel(subscription, { at: when, ...(reason && { reason }) })}
      onDone={onDone}
    >
      {isRunning && cancelled_at === null && (
        <Field name="at" label={t.when} required>
          <Select
            value={chosen}
            options={[
              ['end', t.atEnd],
              ['now', t.now],
            ]}
            onChange={setChosen}
          />
        </Field>
      )}
      <Field name="reason" label={t.reason} hint={t.reasonHint}>
        <TextInput
          maxLength={200}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      {isHindered ? (
        <p>{t.proof(reviewed.number)}</p>
      ) : (
        <Effects>
          {isRunning && when === 'now' && t.stops}
          {isRunning && when === 'now' && days_left !== null && t.lost(days(days_left))}
          {isRunning && when === 'end' && end_date && (
            <>
              {t.goesOn} <Time at={end_date} />
            </>
          )}
          {status === 'paused' && when === 'end' && end_date === null && t.staysPaused}
          {status === 'active' && when === 'end' && end_date === null && t.forGood}
          {t.unrenewable}
          {unpaid.length > 0 && t.orders(unpaid.map(({ number }) => number).join(', '))}
          {`${t.noRefund} ${told}`}
        </Effects>
      )}
    </Taken>
  );
}
