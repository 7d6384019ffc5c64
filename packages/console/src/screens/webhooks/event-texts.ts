import { events } from '../../api/generated.ts';
import { catalogue } from '../../texts/texts.ts';

export const eventNames = events.map(({ name }) => name);

export type EventName = (typeof eventNames)[number];

const declared = Object.fromEntries(
  events.map(({ name, description }) => [name, description]),
) as Record<EventName, string>;

/** The meaning of each event; the English text comes from the declarations. */
export const eventTexts = catalogue<Record<EventName, string>>({
  en: declared,
  id: {
    'access.granted': 'Akses ke sebuah produk mulai berlaku.',
    'access.revoked': 'Akses dicabut sebelum berakhir.',
    'commission.created': 'Sebuah pesanan menghasilkan komisi.',
    'commission.pending': 'Komisi yang sudah didapat atau dibatalkan menunggu pesanannya lagi.',
    'commission.added': 'Komisi menjadi hak afiliasi.',
    'commission.cancelled': 'Komisi dibatalkan.',
    'commission.paid': 'Komisi dibayar.',
    'commission.adjusted': 'Komisi dikoreksi; koreksinya baris tersendiri.',
    'confirmation.created': 'Pembeli mengabarkan bahwa pesanan sudah dibayar.',
    'confirmation.approved': 'Konfirmasi pembayaran disetujui.',
    'confirmation.rejected': 'Konfirmasi pembayaran ditolak.',
    'coupon.created': 'Kupon dibuat.',
    'coupon.updated': 'Kupon diubah.',
    'coupon.exhausted': 'Kupon mencapai batas pemakaian.',
    'coupon.deleted': 'Kupon dihapus.',
    'license.created': 'Lisensi dibuat, oleh pesanan atau oleh pemanggil.',
    'license.activated': 'Lisensi didaftarkan untuk sebuah string.',
    'license.deactivated': 'Lisensi dilepas dari sebuah string, atau dari semua.',
    'license.status-updated': 'Status lisensi berubah.',
    'message.failed': 'Pesan tidak dapat dikirim.',
    'message.bounced': 'Pesan terpental: alamatnya tidak dikirimi lagi.',
    'mutation.unmatched': 'Ada transfer masuk, dan tidak jelas untuk pesanan mana.',
    'order.created': 'Pesanan dibuat.',
    'order.updated': 'Pesanan berubah, termasuk statusnya.',
    'order.status-updated': 'Status pesanan berubah.',
    'order.payment-confirm': 'Pembeli mengatakan pesanannya sudah dibayar.',
    'order.in-progress': 'Pesanan diproses.',
    'order.shipping': 'Pesanan dalam pengiriman.',
    'order.completed': 'Pesanan selesai.',
    'order.refunded': 'Uang pesanan dikembalikan.',
    'order.cancelled': 'Pesanan dibatalkan.',
    'order.deleted': 'Pesanan dihapus.',
    'payment.unexpected': 'Ada uang masuk yang tidak ditunggu pesanan mana pun.',
    'payment.disputed': 'Bank pembeli meminta uangnya kembali, atau itu diputuskan.',
    'payout.paid': 'Afiliasi dibayar.',
    'payout.returned': 'Uang sebuah pencairan kembali: komisinya dapat dibayarkan lagi.',
    'payout-run.confirmed': 'Daftar pencairan dikonfirmasi: barisnya kini menjadi pembayaran.',
    'product.created': 'Produk dibuat.',
    'product.updated': 'Produk diubah.',
    'product.deleted': 'Produk dihapus.',
    'order.refund-created': 'Pengembalian dana pesanan dicatat.',
    'order.refund-failed': 'Penyedia pembayaran tidak dapat mengembalikan uang.',
    'reminder.sent': 'Pengingat diserahkan untuk dikirim.',
    'reminder.failed': 'Pengingat tidak dapat dikirim.',
    'risk.found':
      'Sebuah pesanan mungkin memberi afiliasi komisi dari dirinya sendiri; komisinya ditahan.',
    'subscription.active': 'Langganan mulai atau diperpanjang.',
    'subscription.ending': 'Langganan berakhir dalam tiga hari bila tidak diperpanjang.',
    'subscription.overdue':
      'Pembayaran cicilan lewat jatuh tempo; akses berlanjut selama masa tenggang.',
    'subscription.updated':
      'Akhir, harga, atau catatan langganan diubah, atau langganan diperpanjang selagi dijeda.',
    'subscription.paused': 'Langganan dijeda: tidak memberi apa pun sampai dilanjutkan.',
    'subscription.resumed': 'Jeda langganan berakhir, atau rencana perubahannya ditarik kembali.',
    'subscription.cancelled': 'Langganan dibatalkan: seketika, atau pada akhir masanya.',
    'subscription.expired': 'Langganan berakhir: waktunya habis, atau uangnya dikembalikan.',
    'user.created': 'Pengguna dibuat.',
    'user.updated': 'Pengguna diubah.',
    'user.group-updated': 'Pengguna pindah ke grup lain, atau keluar dari grup.',
    'user.state-changed':
      'Yang boleh dipakai pengguna berubah: akses, langganan, lisensi atau grupnya.',
    'user.deleted': 'Pengguna dihapus dan dianonimkan.',
    ping: 'Kejadian uji, dikirim atas permintaan.',
    'webhook.paused': 'Webhook dijeda: kejadiannya menunggu sampai aktif lagi.',
  },
});
