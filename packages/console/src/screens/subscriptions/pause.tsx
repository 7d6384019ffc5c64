import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useStore } from '../../context/session.ts';
import { instantIn } from '../../lib/local-time.ts';
import { Field, TextInput } from '../../parts/field.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type ActionProps, Effects, Taken } from './taking.tsx';
import { ToCome } from './state.tsx';
import { texts } from './texts.ts';

/** Moves a moment by the time between two others. */
const moved = (at: string, from: string | number, to: string | number): string =>
  new Date(Date.parse(at) + new Date(to).getTime() - new Date(from).getTime()).toISOString();

export function Pause({ subscription, onDone }: ActionProps) {
  const { pause: t, days } = useTexts(texts);
  const { timezone } = useStore();
  const [local, setLocal] = useState('');
  const { end_date, days_left } = subscription;
  const until = local === '' ? undefined : instantIn(timezone, local);
  return (
    <Taken
      subscription={subscription}
      verb={t.verb}
      done={t.done}
      take={() => api.subscriptions.pause(subscription, { until })}
      onDone={onDone}
    >
      <Field name="until" label={t.until} hint={t.untilHint}>
        <TextInput
          type="datetime-local"
          value={local}
          onChange={({ target }) => setLocal(target.value)}
        />
      </Field>
      <Effects>
        {t.stops}
        {days_left === null ? t.keptAll : t.kept(days(days_left))}
        {until && end_date && (
          <>
            {t.resumes} <Time at={moved(end_date, Date.now(), until)} />
          </>
        )}
        {!until && end_date !== null && t.open}
      </Effects>
    </Taken>
  );
}

export function Resume({ subscription, onDone }: ActionProps) {
  const { resume: t, days } = useTexts(texts);
  const { end_date, resumes_at, days_left, scheduled } = subscription;
  return (
    <Taken
      subscription={subscription}
      verb={t.verb}
      done={t.done}
      take={() => api.subscriptions.resume(subscription)}
      onDone={onDone}
    >
      <Effects>
        {t.works}
        {end_date && resumes_at ? (
          <>
            {t.ends} <Time at={moved(end_date, resumes_at, Date.now())} />
          </>
        ) : (
          days_left !== null && t.left(days(days_left))
        )}
        {scheduled.length > 0 && t.keeps}
      </Effects>
    </Taken>
  );
}

export function Withdraw({ subscription, onDone }: ActionProps) {
  const t = useTexts(texts).withdraw;
  return (
    <Taken
      subscription={subscription}
      verb={t.verb}
      done={t.done}
      take={() => api.subscriptions.resume(subscription)}
      onDone={onDone}
    >
      <p>{t.gone}</p>
      <ToCome subscription={subscription} />
    </Taken>
  );
}
