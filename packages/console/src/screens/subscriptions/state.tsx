import type { StoreSubscription } from '../../api/generated.ts';
import { useMoney } from '../../parts/money.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface Of {
  readonly subscription: StoreSubscription;
}

/** The end of a subscription: a moment, never, or unknown while it is paused. */
export function End({ subscription, as }: Of & { readonly as: 'both' | 'distance' }) {
  const t = useTexts(texts);
  const { end_date, status, days_left } = subscription;
  if (end_date !== null) return <Time at={end_date} as={as} />;
  if (status === 'paused' && days_left !== null) return <span className="faint">{t.open}</span>;
  return status === 'active' || status === 'paused' ? (
    <span className="faint">{t.never}</span>
  ) : null;
}

/** Says how much of a plan is paid; nothing without one. */
export function usePaid(): (subscription: StoreSubscription) => string | null {
  const t = useTexts(texts);
  return ({ payments, paid }) =>
    payments === null ? null : t.paid(String(paid ?? 0), String(payments));
}

function useScheduled(): (
  subscription: StoreSubscription,
) => readonly { readonly text: string; readonly at: string | null }[] {
  const t = useTexts(texts).scheduled;
  const money = useMoney();
  return ({ scheduled }) =>
    scheduled.map(({ change, at, by, price }) => ({
      text: change === 'cancel' ? t.cancel(by ?? 'store') : t.price(money(price ?? 0)),
      at: at ?? null,
    }));
}

export function ToCome({ subscription }: { readonly subscription: StoreSubscription }) {
  const scheduledOf = useScheduled();
  return (
    <ul className="follows">
      {scheduledOf(subscription).map(({ text, at }) => (
        <li key={text}>
          {text}
          {at && (
            <>
              : <Time at={at} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
