import { api } from '../../api/client.ts';
import type { StoreSubscription } from '../../api/generated.ts';
import { useDraft } from '../../context/draft.ts';
import { useStore } from '../../context/session.ts';
import { instantIn, localIn } from '../../lib/local-time.ts';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { useMoney } from '../../parts/money.tsx';
import { AmountInput } from '../../parts/record-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type ActionProps, Effects, Taken } from './taking.tsx';
import { texts } from './texts.ts';

const day = 86_400_000;

/** Says how a new end moves the access. */
function useMoved(): (before: string | null, after: string) => string {
  const { change: t, days } = useTexts(texts);
  return (before, after) => {
    if (before === null) return t.endSet;
    const moved = Math.round((Date.parse(after) - Date.parse(before)) / day);
    return moved < 0 ? t.movesBack(days(-moved)) : t.moves(days(moved));
  };
}

/** Gives the price of further terms. */
function useCosts(): (subscription: StoreSubscription, price: number | null) => string {
  const t = useTexts(texts).change;
  const money = useMoney();
  return ({ renew_price }, price) =>
    price === null ? t.costsUsual : t.costs(money(price), money(renew_price));
}

export function Change({ subscription, onDone }: ActionProps) {
  const t = useTexts(texts).change;
  const { timezone } = useStore();
  const movedBy = useMoved();
  const costsOf = useCosts();
  const { end_date, status } = subscription;
  const local = end_date === null ? '' : localIn(timezone, end_date);
  const draft = useDraft(`subscriptions/${subscription.id}`, {
    end: local,
    price: subscription.next_price,
    note: subscription.note ?? '',
  });
  const { end, price, note } = draft.values;
  const hasEnd = status === 'active' || status === 'expired';
  const until = hasEnd && end !== '' && end !== local ? instantIn(timezone, end) : undefined;
  const isPriced = price !== subscription.next_price;
  const isNoted = note !== (subscription.note ?? '');
  const isChanged = until !== undefined || isPriced || isNoted;
  const changes = {
    ...(until && { end_date: until }),
    ...(isPriced && { next_price: price }),
    ...(isNoted && { note: note === '' ? null : note }),
  };
  return (
    <Taken
      subscription={subscription}
      verb={t.verb}
      done={t.done}
      disabled={!isChanged}
      take={() => api.subscriptions.update(subscription, changes)}
      onDone={() => {
        draft.discard();
        onDone();
      }}
    >
      {hasEnd ? (
        <Field name="end_date" label={t.ends}>
          <TextInput
            type="datetime-local"
            value={end}
            onChange={({ target }) => draft.edit({ end: target.value })}
          />
        </Field>
      ) : (
        <p className="hint">{t.noEnd}</p>
      )}
      <Field name="next_price" label={t.price} hint={t.priceHint}>
        <AmountInput
          signed={false}
          required={false}
          value={price}
          onChange={(next) => draft.edit({ price: next })}
        />
      </Field>
      <Field name="note" label={t.note} hint={t.noteHint}>
        <TextArea
          maxLength={2000}
          value={note}
          onChange={({ target }) => draft.edit({ note: target.value })}
        />
      </Field>
      {(until !== undefined || isPriced) && (
        <Effects>
          {until && movedBy(end_date, until)}
          {until && t.licences}
          {isPriced && costsOf(subscription, price)}
          {isPriced && t.placed}
        </Effects>
      )}
    </Taken>
  );
}
