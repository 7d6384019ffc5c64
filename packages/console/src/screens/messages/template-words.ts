import type { TemplateKind } from '../../api/generated.ts';

/** The occasions of the kinds of messages in Indonesian; the service's texts are English. */
export const occasions: Readonly<Record<TemplateKind, string>> = {
  welcome: 'Akun baru dibuat.',
  'order-placed': 'Pesanan dibuat dan menunggu pembayaran.',
  'payment-received': 'Pembayaran pesanan masuk.',
  'order-in-progress': 'Pesanan mulai diproses, bukan karena pembayaran.',
  'order-shipped': 'Pesanan sedang dikirim.',
  'order-completed': 'Pesanan selesai.',
  'order-cancelled': 'Pesanan dibatalkan.',
  'order-refunded': 'Pengembalian dana dicatat; uangnya sedang dikembalikan.',
  'confirmation-rejected': 'Bukti bayar ditolak.',
  'subscription-ending': 'Langganan berakhir dalam tiga hari.',
  'subscription-ended': 'Langganan berakhir.',
  'subscription-cancelled': 'Langganan dibatalkan.',
  'payment-overdue': 'Cicilan lewat jatuh tempo; masa tenggangnya mulai.',
  'commission-earned': 'Afiliasi memperoleh komisi.',
  'commission-paid': 'Komisi dibayarkan.',
  'bank-account-changed': 'Rekening bank untuk komisi diubah.',
  'new-order': 'Ada pesanan baru.',
  'new-confirmation': 'Pembeli mengirim bukti bayar yang perlu diperiksa.',
  'unexpected-payment': 'Ada uang masuk yang tidak ditunggu pesanan mana pun.',
  'webhook-paused': 'Webhook dijeda karena penerimanya gagal.',
  'seller-summary':
    'Lebih dari 20 pemberitahuan sejenis dalam satu jam: sisanya disampaikan bersama.',
  'store-alert': 'Ada yang tidak beres di toko, dan sehari sebelumnya belum.',
};

/** The placeholders of templates in Indonesian. */
export const meanings: Readonly<Record<string, string>> = {
  name: 'Nama pembaca.',
  'store-name': 'Nama toko.',
  'store-url': 'Alamat situs toko.',
  'order-number': 'Nomor pesanan.',
  'order-date': 'Kapan pesanan dibuat: tanggal, jam dan zona waktu.',
  'product-name': 'Produknya.',
  quantity: 'Berapa banyak yang dipesan.',
  amount: 'Harga pesanan, atau harga masa langganan berikutnya, dengan pajak dan ongkos kirimnya.',
  'how-to-pay':
    'Cara membayar pesanan, beberapa baris: ke mana, berapa, dengan berita apa, sampai kapan. Kosong jika tidak ada yang harus dibayar.',
  'order-link':
    'Tautan ke halaman pesanan, tempat membayarnya. Kosong jika tidak ada yang harus dibayar, atau tanpa toko bawaan.',
  'pay-before': 'Batas waktu membayar: tanggal, jam dan zona waktu.',
  tracking: 'Di mana paketnya, beberapa baris: kurir, nomor resi dan tautan pelacakan.',
  access: 'Yang dibuka pesanan: sebuah judul, lalu nama dan tautan di tiap baris.',
  licenses: 'Kode lisensi pesanan: sebuah judul, lalu satu kode di tiap baris.',
  'account-link':
    'Halaman tempat pembeli masuk ke pesanan, berkas dan lisensinya. Kosong tanpa toko bawaan.',
  'buyer-name': 'Nama pembeli.',
  'buyer-email': 'Alamat email pembeli.',
  reason:
    'Alasan pengembalian dana, penolakan bukti bayar atau jeda webhook, atau yang salah pada pembayaran tak terduga.',
  'refunded-amount': 'Berapa yang dikembalikan.',
  'reported-amount':
    'Berapa yang dibayar menurut pembeli. Kosong jika pembeli tidak menyebutkannya.',
  'received-amount': 'Berapa yang masuk. Kosong jika bukan dalam mata uang toko.',
  'end-date': 'Tanggal langganan berakhir; kosong jika tanpa akhir.',
  commission: 'Berapa komisi yang diperoleh.',
  'payout-amount': 'Berapa yang dibayarkan ke afiliasi.',
  'payout-method': 'Cara pembayarannya.',
  'payout-reference': 'Nomor rujukan pembayarannya.',
  'webhook-name': 'Nama webhook.',
  count: 'Berapa pemberitahuan yang diringkas.',
  'signed-in': 'Kapan seseorang masuk ke konsol: tanggal, jam dan zona waktu.',
  browser: 'Peramban yang dipakai untuk masuk.',
  country: 'Negara tempat masuk.',
  troubles: 'Masalah toko, satu di tiap baris.',
  summary:
    'Isi pemberitahuannya: berapa dari tiap jenis, dengan tautan ke tempatnya di konsol, satu per baris.',
};
