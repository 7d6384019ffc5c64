import type { License } from '../../api/generated.ts';
import { Status } from '../../parts/status.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const tones = { pending: 'wait', active: 'good', inactive: 'bad' } as const;

export function LicenseState({ license: { status } }: { readonly license: License }) {
  const t = useTexts(texts).statuses;
  return <Status tone={tones[status]}>{t[status]}</Status>;
}

export function useSeats(): (license: License) => string {
  const t = useTexts(texts);
  const locale = useLocale();
  return ({ activation_count, activation_limit }) =>
    t.seats(
      activation_count.toLocaleString(locale),
      activation_limit === 0 ? t.noLimit : activation_limit.toLocaleString(locale),
    );
}
