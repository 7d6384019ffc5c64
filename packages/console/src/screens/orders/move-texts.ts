import { catalogue } from '../../texts/texts.ts';
import type { Move } from './moves.ts';

/** The button of a move, and the sentence about its effect. */
interface MoveWords {
  readonly verb: string;
  readonly follows: string;
}

export const moveTexts = catalogue<Readonly<Record<Move, MoveWords>>>({
  en: {
    pay: {
      verb: 'Mark as paid',
      follows: 'The order counts as paid and waits to be shipped.',
    },
    payAndComplete: {
      verb: 'Mark as paid',
      follows:
        'The order counts as paid and is completed. The buyer’s access and licences begin; commissions can be paid out.',
    },
    payAndHandOver: {
      verb: 'Mark as paid and handed over',
      follows:
        'The order counts as paid and is completed without a parcel. Commissions can be paid out.',
    },
    payAndShip: {
      verb: 'Mark as paid and ship',
      follows: 'The order counts as paid, and its parcel is on its way.',
    },
    payAndWork: {
      verb: 'Mark as paid, complete later',
      follows:
        'The order counts as paid and stays open until you complete it, for instance because there is work to do. Its licences begin when it is completed.',
    },
    accept: {
      verb: 'Accept order',
      follows: 'The order is accepted and waits to be shipped. The buyer pays on delivery.',
    },
    check: {
      verb: 'Hold for a payment check',
      follows:
        'The order waits until somebody has checked its payment. It is no longer cancelled by itself.',
    },
    notPaid: {
      verb: 'Not paid yet',
      follows: 'The order waits for its payment again.',
    },
    takeBack: {
      verb: 'Payment did not arrive',
      follows:
        'The order counts as unpaid and waits for its payment again. Access and licences are off until it is paid.',
    },
    hold: {
      verb: 'Take acceptance back',
      follows: 'The order waits until you accept it again.',
    },
    ship: {
      verb: 'Ship',
      follows: 'The parcel is on its way, with its tracking number.',
    },
    unship: {
      verb: 'Not shipped after all',
      follows:
        'The order waits to be shipped again. Its tracking number stays until you change it.',
    },
    complete: {
      verb: 'Complete',
      follows:
        'The order is done. The buyer’s access and licences begin; commissions can be paid out.',
    },
    completeOnDelivery: {
      verb: 'Paid and delivered',
      follows:
        'The buyer has the goods and you have the money. The order is completed; commissions can be paid out.',
    },
    uncomplete: {
      verb: 'Not completed after all',
      follows:
        'The order is in progress again. The buyer keeps access and licences; commissions that are not paid out wait until it is completed.',
    },
    reopen: {
      verb: 'Reopen order',
      follows: 'The order waits for payment again, as if it had just been placed.',
    },
    refund: {
      verb: 'Refund in full',
      follows:
        'The rest of the payment is refunded. Commissions are taken back; access and licences end.',
    },
    cancel: {
      verb: 'Cancel order',
      follows: 'The buyer cannot pay any more. Its stock is free again; commissions are cancelled.',
    },
    cancelPaid: {
      verb: 'Cancel and refund',
      follows:
        'The order ends, its stock is free again, and all that was paid counts as refunded. Commissions are taken back; access and licences end.',
    },
  },
  id: {
    pay: {
      verb: 'Tandai lunas',
      follows: 'Pesanan dianggap lunas dan menunggu dikirim.',
    },
    payAndComplete: {
      verb: 'Tandai lunas',
      follows:
        'Pesanan dianggap lunas dan selesai. Akses dan lisensi pembeli dimulai; komisi dapat dibayarkan.',
    },
    payAndHandOver: {
      verb: 'Tandai lunas dan diserahkan',
      follows: 'Pesanan dianggap lunas dan selesai tanpa paket. Komisi dapat dibayarkan.',
    },
    payAndShip: {
      verb: 'Tandai lunas dan kirim',
      follows: 'Pesanan dianggap lunas, dan paketnya dalam perjalanan.',
    },
    payAndWork: {
      verb: 'Tandai lunas, selesaikan nanti',
      follows:
        'Pesanan dianggap lunas dan tetap terbuka sampai Anda selesaikan, misalnya karena masih ada pekerjaan. Lisensinya dimulai saat selesai.',
    },
    accept: {
      verb: 'Terima pesanan',
      follows: 'Pesanan diterima dan menunggu dikirim. Pembeli membayar di tempat.',
    },
    check: {
      verb: 'Tahan untuk pemeriksaan',
      follows:
        'Pesanan menunggu sampai pembayarannya diperiksa, dan tidak lagi batal dengan sendirinya.',
    },
    notPaid: {
      verb: 'Belum dibayar',
      follows: 'Pesanan menunggu pembayarannya lagi.',
    },
    takeBack: {
      verb: 'Pembayaran tidak masuk',
      follows:
        'Pesanan dianggap belum dibayar dan menunggu pembayaran lagi. Akses dan lisensi nonaktif sampai dibayar.',
    },
    hold: {
      verb: 'Batalkan penerimaan',
      follows: 'Pesanan menunggu sampai Anda terima lagi.',
    },
    ship: {
      verb: 'Kirim',
      follows: 'Paketnya dalam perjalanan, dengan nomor resinya.',
    },
    unship: {
      verb: 'Ternyata belum dikirim',
      follows: 'Pesanan menunggu dikirim lagi. Nomor resinya tetap sampai Anda ubah.',
    },
    complete: {
      verb: 'Selesaikan',
      follows: 'Pesanan selesai. Akses dan lisensi pembeli dimulai; komisi dapat dibayarkan.',
    },
    completeOnDelivery: {
      verb: 'Dibayar dan diterima',
      follows:
        'Barang ada pada pembeli dan uangnya pada Anda. Pesanan selesai; komisi dapat dibayarkan.',
    },
    uncomplete: {
      verb: 'Ternyata belum selesai',
      follows:
        'Pesanan diproses lagi. Akses dan lisensi pembeli tetap ada; komisi yang belum dibayarkan menunggu sampai selesai.',
    },
    reopen: {
      verb: 'Buka lagi pesanan',
      follows: 'Pesanan menunggu pembayaran lagi, seperti baru dipesan.',
    },
    refund: {
      verb: 'Kembalikan seluruhnya',
      follows: 'Semua sisanya dikembalikan. Komisi ditarik kembali; akses dan lisensi berakhir.',
    },
    cancel: {
      verb: 'Batalkan pesanan',
      follows: 'Pembeli tidak dapat membayar lagi. Stoknya kembali tersedia; komisi dibatalkan.',
    },
    cancelPaid: {
      verb: 'Batalkan dan kembalikan',
      follows:
        'Pesanan berakhir, stoknya kembali tersedia, dan semua yang dibayar dianggap dikembalikan. Komisi ditarik kembali; akses dan lisensi berakhir.',
    },
  },
});
