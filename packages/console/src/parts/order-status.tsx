import type { OrderStatus } from '../api/generated.ts';
import { catalogue, useTexts } from '../texts/texts.ts';
import { Status, type Tone } from './status.tsx';

export const orderStatuses = catalogue({
  en: {
    'on-hold': 'To pay',
    'payment-confirm': 'Proof sent',
    'in-progress': 'In progress',
    shipping: 'Shipping',
    completed: 'Completed',
    cancelled: 'Cancelled',
    refunded: 'Refunded',
  } satisfies Record<OrderStatus, string>,
  id: {
    'on-hold': 'Belum dibayar',
    'payment-confirm': 'Bukti dikirim',
    'in-progress': 'Diproses',
    shipping: 'Dikirim',
    completed: 'Selesai',
    cancelled: 'Dibatalkan',
    refunded: 'Dikembalikan',
  },
});

const tones: Readonly<Record<OrderStatus, Tone>> = {
  'on-hold': 'neutral',
  'payment-confirm': 'wait',
  'in-progress': 'active',
  shipping: 'active',
  completed: 'good',
  cancelled: 'neutral',
  refunded: 'bad',
};

export const OrderState = ({ status }: { readonly status: OrderStatus }) => (
  <Status tone={tones[status]}>{useTexts(orderStatuses)[status]}</Status>
);
