import type { ApiError } from '../../../client/src/errors.ts';

/** The messages of the service's errors in Indonesian, by code. */
export const sentences: Readonly<Record<string, string>> = {
  rest_missing_callback_param: 'Ada isian yang belum diisi.',
  rest_invalid_param: 'Ada isian yang tidak dapat dipakai.',
  rest_payload_too_large: 'Yang dikirim terlalu besar.',
  rest_unsupported_media_type: 'Jenis kiriman ini tidak diterima.',
  rest_forbidden: 'Anda tidak boleh melakukan ini.',
  svc_session_no_token: 'Token sesi tidak dikirim.',
  svc_session_invalid_token: 'Token sesi tidak berlaku atau sudah berakhir.',
  svc_session_user_gone: 'Pemilik sesi ini sudah tidak ada.',
  svc_console_signed_out: 'Masuk dulu ke konsol.',
  svc_console_sign_in_again:
    'Untuk ini Anda harus baru saja masuk, paling lama sepuluh menit lalu.',
  rest_too_many_requests: 'Terlalu banyak permintaan. Coba lagi sebentar lagi.',
  rest_no_route: 'Tidak ada apa-apa di alamat ini.',
  rest_method_not_allowed: 'Alamat ini tidak menerima permintaan seperti ini.',
  rest_not_found: 'Tidak ditemukan.',
  rest_conflict: 'Datanya sudah diubah orang lain. Muat ulang, lalu coba lagi.',
  rest_idempotency_mismatch: 'Permintaan yang sama sudah dikirim dengan isi lain. Muat ulang.',
  rest_idempotency_in_progress: 'Permintaan yang sama masih dikerjakan. Tunggu sebentar.',
  svc_session_issue_failed: 'Token tidak dapat diterbitkan.',
  rest_internal_error:
    'Ada yang salah di layanan. Coba lagi; jika terulang, laporkan nomor permintaannya.',
  rest_unavailable: 'Basis data sedang tidak dapat dihubungi. Coba lagi.',
  quote_expired: 'Hitungan harga sudah lebih dari 15 menit. Hitung lagi.',
  quote_changed: 'Harganya sudah berubah. Hitung lagi.',
  commission_paid: 'Komisi yang sudah dibayar tidak dapat diubah.',
  commission_adjustment: 'Koreksi mengikuti penjualannya: ubah penjualannya.',
  commission_not_payable: 'Komisi ini belum dapat dibayarkan.',
  confirmation_not_pending: 'Bukti bayar ini sudah diperiksa, atau sudah diganti yang baru.',
  proof_missing: 'Tidak ada gambar pada bukti bayar ini.',
  proof_not_shown: 'Bukti bayar ini bukan gambar yang dapat ditampilkan.',
  proof_unreachable: 'Gambar bukti bayar tidak dapat diambil dari alamatnya.',
  svc_console_link_invalid:
    'Tautan ini sudah dipakai, lebih dari sepuluh menit, atau milik toko lain.',
  svc_console_code_invalid:
    'Kode ini salah, sudah dipakai, atau lebih dari sepuluh menit. Minta kode baru.',
  svc_console_mail_limit:
    'Batas kiriman dalam satu jam sudah tercapai. Yang dikirim dalam sepuluh menit terakhir masih berlaku.',
  coupon_not_found: 'Tidak ada kupon dengan kode ini.',
  coupon_inactive: 'Kupon ini tidak aktif.',
  coupon_not_started: 'Kupon ini belum berlaku.',
  coupon_expired: 'Kupon ini sudah berakhir.',
  coupon_limit_reached: 'Kupon ini sudah habis dipakai.',
  coupon_user_limit: 'Pembeli sudah memakai kupon ini sebanyak yang diizinkan.',
  coupon_product_excluded: 'Kupon ini tidak berlaku untuk produknya.',
  coupon_min_amount: 'Belanjanya terlalu kecil untuk kupon ini.',
  coupon_renewal_only: 'Kupon ini hanya untuk perpanjangan.',
  coupon_own: 'Afiliasi tidak dapat memakai kuponnya sendiri.',
  coupon_group: 'Kupon ini bukan untuk pembeli ini.',
  coupon_first_order_only: 'Kupon ini hanya untuk pesanan pertama.',
  coupon_code_exists: 'Kode ini sudah dipakai kupon lain.',
  coupon_quota: 'Salinan kupon ini sudah sebanyak yang diizinkan.',
  file_not_uploading: 'Berkas ini tidak sedang diunggah.',
  file_incomplete: 'Ada bagian berkas yang belum sampai. Unggah lagi.',
  download_closed: 'Berkas ini sedang tidak dapat diakses.',
  download_expired: 'Tautan ini sudah berakhir. Minta yang baru.',
  download_limit: 'Berkas ini sudah terlalu sering diunduh hari ini. Coba lagi besok.',
  download_range: 'Berkasnya tidak punya bagian ini.',
  group_name_exists: 'Nama ini sudah dipakai grup lain.',
  group_has_users: 'Masih ada orang di grup ini.',
  group_below: 'Grup ini di bawah grup orang itu sekarang.',
  svc_key_ended: 'Kunci ini sudah dicabut atau berakhir. Buat yang baru.',
  license_quantity: 'Satu pesanan mengeluarkan paling banyak 1.000 lisensi.',
  license_limit_reached: 'Semua kursi lisensi ini sudah terpakai.',
  license_free_limit_reached:
    'Lisensi ini sudah dipakai di 50 komputer pengembang. Kosongkan salah satu.',
  license_reset_limit_reached: 'Lisensi ini sudah dikosongkan sesering yang diizinkan.',
  message_queued: 'Pesan ini masih menunggu dikirim.',
  message_not_queued: 'Pesan ini sudah tidak menunggu dikirim.',
  message_gathered: 'Pesan ini bagian dari ringkasan. Kirim lagi ringkasannya.',
  message_sending: 'Pesan ini sedang dikirim.',
  message_of_sign_in:
    'Pesan untuk masuk tidak dapat dikirim lagi atau dibatalkan. Minta yang baru.',
  message_test_limit: 'Sudah 30 uji coba dalam satu jam. Coba lagi nanti.',
  message_no_sender: 'Belum ada pengirim untuk media ini. Lihat Pengaturan, Pesan.',
  rest_invalid_transition: 'Pesanan ini tidak dapat diubah ke status itu.',
  order_not_erasable: 'Hanya pesanan yang dibatalkan dan tidak pernah dibayar yang dapat dihapus.',
  order_not_unpaid:
    'Ini hanya dapat diubah selama pesanan belum dibayar. Total pesanan yang sudah dibayar hanya dapat diturunkan.',
  order_has_payment:
    'Uang pesanan ini ada di penyedia pembayaran. Kembalikan dananya atau batalkan pesanannya dulu.',
  order_closed:
    'Pesanan ini sudah dikembalikan atau dibatalkan: jumlah, cara bayar dan afiliasinya tetap.',
  order_not_payable: 'Pesanan ini tidak menunggu pembayaran.',
  gateway_unavailable: 'Penyedia pembayaran sedang tidak menjawab. Coba lagi.',
  payment_refused: 'Penyedia pembayaran tidak menerima pembayaran ini.',
  callback_forged: 'Tidak terbukti bahwa ini dari penyedianya.',
  not_refundable: 'Pembayaran ini tidak dapat dikembalikan lewat penyedianya.',
  payment_resolved: 'Pembayaran ini sudah diputuskan.',
  transfer_figure_taken:
    'Pesanan lain menunggu, atau baru saja menunggu, transfer dengan jumlah yang sama persis. Pilih total lain.',
  payout_run_closed: 'Daftar pencairan ini bukan draf lagi.',
  payout_run_open: 'Daftar pencairan ini masih draf: konfirmasi dulu.',
  payout_line_left_out: 'Baris ini tidak ikut saat daftarnya dikonfirmasi, jadi tidak dibayar.',
  payout_line_returned: 'Uang baris ini kembali, jadi komisinya dapat dibayarkan lagi.',
  product_slug_exists: 'Alamat ini sudah dipakai produk lain.',
  product_has_open_orders: 'Produk ini masih punya pesanan yang belum selesai.',
  product_closed: 'Produk ini sedang tidak dijual.',
  out_of_stock: 'Stoknya tidak cukup.',
  variant_required: 'Pilihan yang wajib belum dipilih.',
  purchase_too_soon: 'Pembeli ini terlalu cepat memesan produk ini lagi.',
  nothing_payable: 'Tidak ada yang dapat dibayarkan atau dikembalikan.',
  refund_exceeds_paid: 'Ini lebih dari yang masih dapat dikembalikan.',
  refund_not_failed: 'Pengembalian ini tidak gagal, atau sudah dibayar manual.',
  reminder_not_pending: 'Pengingat ini sedang atau sudah dikirim.',
  reminder_no_recipient: 'Tidak ada lagi yang perlu diingatkan.',
  reminder_sending: 'Pengingat ini sedang dikirim.',
  risk_void:
    'Risiko ini gugur: pesanannya dikembalikan, dibatalkan, atau dihitung untuk afiliasi lain.',
  svc_session_switched: 'Anda sedang bertindak sebagai orang lain. Kembali dulu.',
  svc_session_not_switched: 'Sesi ini tidak bertindak sebagai orang lain.',
  rest_user_not_found: 'Tidak ada orang dengan nomor ini.',
  setting_locked: 'Pengaturan ini tetap sejak ada pesanan.',
  store_currency_unset: 'Toko belum punya mata uang. Pilih dulu di Pengaturan, Toko.',
  staff_role_name_exists: 'Nama ini sudah dipakai peran lain.',
  staff_role_in_use: 'Masih ada orang dengan peran ini. Beri mereka peran lain dulu.',
  staff_role_built_in: 'Peran ini ada di setiap toko. Kurangi izinnya saja.',
  tryout_used: 'Masa coba hanya untuk pesanan pertama pembeli untuk produk ini.',
  subscription_not_renewable: 'Tidak ada langganan yang dapat diperpanjang pesanan ini.',
  plan_complete: 'Semua cicilan sudah dibayar, atau pesanannya sudah ada.',
  subscription_over: 'Langganan ini tidak berjalan, atau belum pernah dibayar.',
  subscription_paused: 'Langganan ini dijeda. Lanjutkan dulu.',
  subscription_payment_pending: 'Pembayaran perpanjangan sedang diperiksa.',
  nothing_to_resume: 'Langganan ini tidak dijeda, dan tidak ada yang dijadwalkan.',
  rest_ambiguous: 'Lebih dari satu orang cocok. Cari dengan email.',
  rest_upline_cycle: 'Pengajak tidak boleh berada di bawah orang itu sendiri di jaringan.',
  user_email_exists: 'Alamat email ini sudah dipakai orang lain.',
  user_external_id_exists: 'Nomor luar ini sudah dipakai orang lain.',
  last_administrator: 'Ini satu-satunya administrator. Angkat yang lain dulu.',
  webhook_limit: 'Toko punya paling banyak 50 webhook. Hapus yang tidak dipakai.',
  webhook_not_active: 'Webhook ini tidak aktif: tidak ada yang dikirim ke sana.',
};

/** Messages that say more than their code. */
const special: readonly (readonly [RegExp, string])[] = [
  [
    /^Every line has an obstacle/,
    'Setiap baris punya hambatan, jadi tidak ada yang dapat dibayarkan.',
  ],
  [
    /commissions? (is|are) payable|no payable commissions/,
    'Belum ada komisi yang dapat dibayarkan.',
  ],
  [/^This account is blocked/, 'Akun ini diblokir.'],
  [/must lose that role first/, 'Orang ini punya peran di konsol. Cabut perannya dulu.'],
  [
    /^Nobody can act as somebody/,
    'Tidak ada yang dapat bertindak sebagai orang yang punya peran di konsol.',
  ],
  [
    /^Only an administrator may/,
    'Hanya administrator yang boleh mengubah ini pada orang yang punya peran di konsol.',
  ],
  [/may not enter the console/, 'Orang ini tidak boleh masuk ke konsol.'],
  [/is in a payout run/, 'Komisi ini ada di daftar pencairan.'],
  [/stock is no longer/, 'Stoknya sudah berubah. Muat ulang produk, lalu coba lagi.'],
  [/to certain user groups only/, 'Produk ini hanya dijual kepada grup pelanggan tertentu.'],
  [/not a JPEG, PNG, GIF or WebP/, 'Berkasnya bukan JPEG, PNG, GIF atau WebP.'],
  [/its product was deleted/, 'Pesanan ini tidak dapat dibuka lagi: produknya sudah dihapus.'],
  [
    /licences of this order are issued/,
    'Lisensi pesanan ini sudah keluar. Buat pesanan baru untuk jumlah lain.',
  ],
];

/** The reasons at a field; a group replaces `$1`. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^is required|^must not be empty|to have >=1 (characters|items)$/, 'harus diisi'],
  [/^Too small.* to have >=?(\d+) characters$/, 'paling sedikit $1 huruf'],
  [/^Too big.* to have <=?(\d+) characters$/, 'paling banyak $1 huruf'],
  [/^Too small.* to have >=?(\d+) items$/, 'paling sedikit $1 buah'],
  [/^Too big.* to have <=?(\d+) items$/, 'paling banyak $1 buah'],
  [/^Too small.* to be >=(-?[\d.]+)$/, 'paling kecil $1'],
  [/^Too small.* to be >(-?[\d.]+)$/, 'harus lebih dari $1'],
  [/^Too big.* to be <=(-?[\d.]+)$/, 'paling besar $1'],
  [/^Too big.* to be <(-?[\d.]+)$/, 'harus kurang dari $1'],
  [/^Invalid number: must be a multiple of (.+)$/, 'harus kelipatan $1'],
  [/^Invalid email/, 'bukan alamat email'],
  [/^Invalid (ISO|date)|^must be a date/, 'bukan tanggal'],
  [/^Invalid URL|^is not a URL/, 'bukan alamat web'],
  [/^must start with https/, 'harus diawali https://'],
  [/^must be in the future/, 'harus di masa depan'],
  [/^must be after/, 'harus sesudah mulainya'],
  [/^must not be before/, 'tidak boleh sebelum mulainya'],
  [/^must be whole rupiah/, 'harus rupiah bulat'],
  [/^must be (\d+) at most$/, 'paling banyak $1'],
  [/^may be (\d+) at most/, 'paling banyak $1'],
  [/^must be a whole number from (\S+) to (\S+)$/, 'harus bilangan bulat dari $1 sampai $2'],
  [/^takes amounts from (\d+)$/, 'hanya untuk jumlah mulai $1'],
  [/^takes amounts up to (\d+)$/, 'hanya untuk jumlah sampai $1'],
  [/^must be more than the (\d+) refunded$/, 'harus lebih dari $1 yang sudah dikembalikan'],
  [/^is (\d+) by now$/, 'sekarang $1'],
  [/^needs an option of (.+)$/, 'perlu pilihan $1'],
  [/^is needed to ship/, 'diperlukan untuk mengirim pesanan'],
  [/^must be another user/, 'harus orang lain'],
  [/^is not a gateway of this store/, 'bukan cara bayar toko ini'],
  [/^must not contain (\{\{.*?\}\}).*/, 'tidak boleh memuat $1: lihat isian otomatis yang ada'],
  [/^must contain \{\{content\}\}/, 'harus memuat {{content}} tepat satu kali'],
  [/^must name a (public )?host|^must not be this service/, 'harus alamat situs lain di internet'],
  [/^must be a JPEG/, 'harus JPEG, PNG, GIF atau WebP'],
  [/^No record/, 'tidak ditemukan'],
];

function found(table: readonly (readonly [RegExp, string])[], said: string): string | undefined {
  for (const [pattern, words] of table) {
    const match = pattern.exec(said);
    if (match) return words.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
  }
  return undefined;
}

/** A field's reason in Indonesian; an unknown one is shown in brackets as the service gave it. */
const reasonIn = (said: string): string => found(reasons, said) ?? `tidak dapat dipakai (${said})`;

/** Translates an error into Indonesian. An unknown code keeps its message. */
export function translate(error: ApiError<string>): void {
  error.message = found(special, error.message) ?? sentences[error.code] ?? error.message;
  const params = error.params as Record<string, string>;
  for (const [name, said] of Object.entries(params)) params[name] = reasonIn(said);
}
