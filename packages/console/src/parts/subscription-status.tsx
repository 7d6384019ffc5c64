import type { SubscriptionStatus } from '../api/generated.ts';
import { catalogue, useTexts } from '../texts/texts.ts';
import { Status, type Tone } from './status.tsx';

export const subscriptionStatuses = catalogue({
  en: {
    active: 'Active',
    paused: 'Paused',
    pending: 'To pay',
    expired: 'Expired',
    cancelled: 'Cancelled',
    inactive: 'Refunded',
  } satisfies Record<SubscriptionStatus, string>,
  id: {
    active: 'Aktif',
    paused: 'Dijeda',
    pending: 'Belum dibayar',
    expired: 'Berakhir',
    cancelled: 'Dibatalkan',
    inactive: 'Dikembalikan',
  },
});

const tones: Readonly<Record<SubscriptionStatus, Tone>> = {
  active: 'good',
  paused: 'wait',
  pending: 'neutral',
  expired: 'neutral',
  cancelled: 'neutral',
  inactive: 'bad',
};

export const SubscriptionState = ({ status }: { readonly status: SubscriptionStatus }) => (
  <Status tone={tones[status]}>{useTexts(subscriptionStatuses)[status]}</Status>
);
