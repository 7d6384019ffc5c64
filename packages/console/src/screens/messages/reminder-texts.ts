import type { ReminderStatus } from '../../api/generated.ts';
import { catalogue, plural } from '../../texts/texts.ts';

export const texts = catalogue({
  en: {
    templates: 'When reminders are sent',
    noTemplates: 'No reminders are sent automatically yet.',
    new: 'New reminder',
    edit: (title: string) => `Edit ${title}`,
    remove: 'Delete',
    removed: 'The reminder is no longer sent for new orders.',
    saved: 'The reminder is saved. It applies to new orders and ends of subscriptions.',
    when: {
      order: (days: number, hour: string) =>
        `${plural(days, 'day', 'days')} after the order, at ${hour}, while it is unpaid`,
      before: (days: number, hour: string) =>
        `${plural(days, 'day', 'days')} before the subscription ends, at ${hour}`,
      after: (days: number, hour: string) =>
        `${plural(days, 'day', 'days')} after the subscription has ended, at ${hour}`,
    },
    on: 'On',
    off: 'Off',
    fields: {
      occasion: 'Occasion',
      occasions: {
        order: 'After an unpaid order',
        before: 'Before a subscription ends',
        after: 'After a subscription has ended',
      },
      orderHint:
        'Most orders of the shop are cancelled two hours after they were placed, unless they are paid or have a payment proof (“Settings → Selling and affiliates” has the hours). A later reminder reaches only orders that wait longer.',
      offset: 'Days',
      hour: 'Hour',
      hourHint: 'In the store’s time zone.',
      media: 'Sent by',
      title: 'Subject',
      content: 'Text',
      contentHint:
        'Filled in: {{name}}, {{order-number}}, {{product-name}}, {{end-date}} and {{amount}}; for unpaid orders also {{how-to-pay}} and {{order-link}}.',
      active: 'Send it',
    },
    list: 'Reminders',
    status: 'Status of the reminder',
    every: 'Every status',
    statuses: {
      pending: 'Scheduled',
      sending: 'Being sent',
      sent: 'Sent',
      failed: 'Failed',
      cancelled: 'Cancelled',
    } satisfies Record<ReminderStatus, string>,
    columns: {
      what: 'Reminder',
      status: 'Status',
      order: 'Order',
      to: 'To',
      at: 'Time',
      act: 'Do',
    },
    empty: 'No reminders',
    emptyText: 'Reminders of unpaid orders and of subscriptions that end appear here.',
    now: 'Send now',
    nowOf: (title: string, to: string) => `Send now: ${title}, ${to}`,
    sent: 'The reminder is sent.',
    cancel: 'Do not send',
    cancelOf: (title: string, to: string) => `Do not send: ${title}, ${to}`,
    cancelled: 'The reminder is not sent.',
  },
  id: {
    templates: 'Kapan pengingat dikirim',
    noTemplates: 'Belum ada pengingat yang dikirim otomatis.',
    new: 'Pengingat baru',
    edit: (title: string) => `Ubah ${title}`,
    remove: 'Hapus',
    removed: 'Pengingat ini tidak lagi dikirim untuk pesanan baru.',
    saved: 'Pengingat disimpan. Berlaku untuk pesanan dan akhir langganan yang baru.',
    when: {
      order: (days: number, hour: string) =>
        `${days} hari setelah pesanan, pukul ${hour}, selama belum dibayar`,
      before: (days: number, hour: string) =>
        `${days} hari sebelum langganan berakhir, pukul ${hour}`,
      after: (days: number, hour: string) =>
        `${days} hari setelah langganan berakhir, pukul ${hour}`,
    },
    on: 'Aktif',
    off: 'Mati',
    fields: {
      occasion: 'Kapan',
      occasions: {
        order: 'Setelah pesanan yang belum dibayar',
        before: 'Sebelum langganan berakhir',
        after: 'Setelah langganan berakhir',
      },
      orderHint:
        'Kebanyakan pesanan dari toko dibatalkan dua jam setelah dibuat, kecuali sudah dibayar atau ada bukti bayarnya (jumlah jamnya di “Pengaturan → Penjualan dan afiliasi”). Pengingat setelah itu hanya sampai ke pesanan yang menunggu lebih lama.',
      offset: 'Hari',
      hour: 'Jam',
      hourHint: 'Menurut zona waktu toko.',
      media: 'Lewat',
      title: 'Subjek',
      content: 'Isi',
      contentHint:
        'Diisi otomatis: {{name}}, {{order-number}}, {{product-name}}, {{end-date}} dan {{amount}}; untuk pesanan belum dibayar juga {{how-to-pay}} dan {{order-link}}.',
      active: 'Dikirim',
    },
    list: 'Pengingat',
    status: 'Status pengingat',
    every: 'Semua status',
    statuses: {
      pending: 'Dijadwalkan',
      sending: 'Sedang dikirim',
      sent: 'Terkirim',
      failed: 'Gagal',
      cancelled: 'Dibatalkan',
    },
    columns: {
      what: 'Pengingat',
      status: 'Status',
      order: 'Pesanan',
      to: 'Kepada',
      at: 'Waktu',
      act: 'Tindakan',
    },
    empty: 'Tidak ada pengingat',
    emptyText:
      'Pengingat untuk pesanan yang belum dibayar dan langganan yang berakhir tampil di sini.',
    now: 'Kirim sekarang',
    nowOf: (title: string, to: string) => `Kirim sekarang: ${title}, ${to}`,
    sent: 'Pengingat dikirim.',
    cancel: 'Jangan kirim',
    cancelOf: (title: string, to: string) => `Jangan kirim: ${title}, ${to}`,
    cancelled: 'Pengingat tidak dikirim.',
  },
});
