import { catalogue } from '../../texts/texts.ts';

export const texts = catalogue({
  en: {
    title: 'Health of the store',
    well: 'Everything is in order',
    unwell: (n: number) => `${n} to look at`,
    ok: 'in order',
    alarm: 'look at it',
    none: 'none',
    never: 'never',
    figures: {
      undelivered_event_age: 'Oldest event that a webhook has not received',
      failing_webhooks: 'Failing webhooks',
      stuck_payments: 'Payments that a provider should have answered',
      stuck_messages: 'Messages that should have been sent',
      unsent_refunds: 'Refunds that were not paid',
      backup_age: 'Time since the last backup',
      database_size: 'Size of the database',
    },
  },
  id: {
    title: 'Kesehatan toko',
    well: 'Semuanya beres',
    unwell: (n: number) => `${n} perlu dilihat`,
    ok: 'beres',
    alarm: 'perlu dilihat',
    none: 'tidak ada',
    never: 'belum pernah',
    figures: {
      undelivered_event_age: 'Kejadian terlama yang belum diterima webhook',
      failing_webhooks: 'Webhook yang gagal',
      stuck_payments: 'Pembayaran yang belum dijawab penyedianya',
      stuck_messages: 'Pesan yang seharusnya sudah dikirim',
      unsent_refunds: 'Pengembalian dana yang belum dibayar',
      backup_age: 'Waktu sejak cadangan terakhir',
      database_size: 'Ukuran basis data',
    },
  },
});
