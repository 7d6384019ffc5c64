import type { Coupon } from '../../api/generated.ts';
import { useMoney } from '../../parts/money.tsx';
import { Status, type Tone } from '../../parts/status.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const tones: Readonly<Record<Coupon['state'], Tone>> = {
  active: 'good',
  scheduled: 'wait',
  exhausted: 'neutral',
  expired: 'neutral',
  off: 'bad',
};

/** The state of a coupon; also shows coupons that wait for approval. */
export function CouponState({ coupon: { state, status } }: { readonly coupon: Coupon }) {
  const t = useTexts(texts);
  if (status === 'need-approve') return <Status tone="wait">{t.statuses[status]}</Status>;
  return <Status tone={tones[state]}>{t.states[state]}</Status>;
}

export function useDiscountWords(): (coupon: Coupon) => string {
  const t = useTexts(texts);
  const money = useMoney();
  const locale = useLocale();
  return ({ discount: { value, type, usage, free_shipping } }) => {
    const amount = type === 'fixed' ? money(value) : `${value.toLocaleString(locale)}%`;
    const words = [
      value > 0 && t.off(amount),
      value > 0 && type === 'fixed' && usage === 'per_item' && t.each,
      free_shipping && t.freeShipping,
    ].filter(Boolean);
    return words.length > 0 ? words.join(' · ') : t.nothingOff;
  };
}
