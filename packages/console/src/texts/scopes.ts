import { scopes } from '../api/generated.ts';
import { catalogue } from './texts.ts';

export type Scope = (typeof scopes)[number]['name'];

/** The resources of scopes: the part before the colon. */
export type Resource = Scope extends `${infer T}:${string}` ? T : never;

const declared = Object.fromEntries(
  scopes.map(({ name, description }) => [name, description]),
) as Record<Scope, string>;

/** The meaning of each scope; the English text comes from the declarations. */
export const scopeTexts = catalogue<Record<Scope, string>>({
  en: declared,
  id: {
    'orders:read': 'Membaca pesanan.',
    'orders:write':
      'Membuat dan mengubah pesanan beserta pengguna untuk pembeli baru, serta memutuskan pembayaran tak terduga dan mutasi bank. Mengembalikan dana atau membatalkan pesanan yang sudah dibayar mengirim uang kembali lewat penyedia pembayaran.',
    'orders:delete':
      'Menghapus pesanan, kecuali yang uangnya ada di penyedia pembayaran: itu juga memerlukan orders:write.',
    'subscriptions:read': 'Membaca langganan beserta nama dan alamat email pelanggannya.',
    'subscriptions:write':
      'Mengubah, menjeda, melanjutkan, dan membatalkan langganan: ini memberi dan mencabut akses, serta membatalkan perpanjangan yang belum dibayar.',
    'products:read': 'Membaca produk.',
    'products:write': 'Membuat dan mengubah produk.',
    'products:delete': 'Menghapus produk.',
    'coupons:read': 'Membaca kupon.',
    'coupons:write': 'Membuat dan mengubah kupon.',
    'coupons:delete': 'Menghapus kupon.',
    'commissions:read': 'Membaca komisi.',
    'commissions:write': 'Membuat dan mengubah komisi, dan menyusun daftar pencairan.',
    'commissions:delete': 'Menghapus komisi.',
    'risks:read':
      'Membaca risiko: afiliasi yang mungkin mendapat komisi dari pembeliannya sendiri, dengan alamat, telepon, dan rekening yang sama.',
    'risks:write': 'Menyatakan risiko aman atau benar. Menyatakannya benar membatalkan komisi.',
    'payouts:read': 'Membaca pembayaran dan daftar pencairan, dengan rekening banknya.',
    'payouts:write':
      'Membayar komisi, mengonfirmasi daftar pencairan, mencatat hasilnya, dan membatalkan pembayaran. Membayar mencatat pembayaran dan tidak mengirim uang.',
    'confirmations:read': 'Membaca konfirmasi pembayaran.',
    'confirmations:write':
      'Membuat dan memeriksa konfirmasi pembayaran. Menyetujuinya menandai pesanan sebagai sudah dibayar.',
    'confirmations:delete': 'Menghapus konfirmasi pembayaran.',
    'users:read':
      'Membaca pengguna: alamat, rekening bank, upline dan downline, dan apakah mereka pernah membeli.',
    'users:write': 'Membuat dan mengubah pengguna, beserta alamat dan rekening banknya.',
    'users:delete': 'Menganonimkan pengguna.',
    'user-groups:read': 'Membaca grup pengguna.',
    'user-groups:write': 'Membuat, mengubah dan menghapus grup pengguna.',
    'access:read': 'Membaca akses dan konten terlindung.',
    'access:write': 'Memberi dan mengubah akses dan konten terlindung.',
    'access:delete': 'Mencabut akses dan menghapus konten terlindung.',
    'files:read': 'Membaca daftar berkas produk.',
    'files:write': 'Mengunggah berkas, dan mengubah pembeli mana yang boleh mengunduhnya.',
    'files:delete': 'Menghapus berkas.',
    'licenses:read': 'Membaca dan memeriksa lisensi.',
    'licenses:write': 'Membuat, mengubah dan mengaktifkan lisensi.',
    'messages:read':
      'Membaca pesan dan templatnya. Isinya memuat alamat, tautan akses dan kode lisensi.',
    'messages:write':
      'Mengirim ulang dan membatalkan pesan, mengubah templat dan mengirimnya sebagai uji ke alamat mana pun, dan membuka blokir alamat.',
    'messages:send': 'Mengirim ulang pesan apa adanya; jawabannya memuat isi pesan.',
    'reminders:read':
      'Membaca pengingat dan templatnya; alamat tujuannya juga memerlukan orders:read.',
    'reminders:write':
      'Membuat, mengubah dan mengirim pengingat kepada pembeli, dan mengubah templatnya. Ke alamat lain, atau dengan isian dari pesanan, juga memerlukan orders:read.',
    'affiliates:read':
      'Membaca data afiliasi: tautan, kode kupon, pendapatan, rekening bank, peringkat.',
    'checkout:read': 'Menghitung harga keranjang dan membaca pilihan pengiriman.',
    'payments:read': 'Membaca gerbang pembayaran, pembayaran tak terduga dan mutasi bank.',
    'sessions:write':
      'Menerbitkan dan mencabut token sesi pengguna, yang dapat melakukan semua yang boleh dilakukan penggunanya; untuk orang yang punya peran di konsol hanya bila kunci dibuat untuk itu.',
    'webhooks:read': 'Membaca webhook dan kirimannya.',
    'webhooks:write':
      'Membuat, mengubah, menguji dan mengulang webhook untuk kejadian yang boleh dibaca kunci ini.',
    'webhooks:delete': 'Menghapus webhook.',
    'audit:read': 'Membaca log audit: siapa mengubah apa, sebelum dan sesudahnya.',
    'status:read': 'Membaca status penyebaran.',
  },
});

export const resourceTexts = catalogue<Record<Resource, string>>({
  en: {
    orders: 'Orders',
    subscriptions: 'Subscriptions',
    products: 'Products',
    coupons: 'Coupons',
    commissions: 'Commissions',
    payouts: 'Payouts',
    risks: 'Risks',
    confirmations: 'Payment confirmations',
    users: 'Users',
    'user-groups': 'User groups',
    access: 'Access',
    files: 'Files',
    licenses: 'Licences',
    messages: 'Messages',
    reminders: 'Reminders',
    affiliates: 'Affiliates',
    checkout: 'Checkout',
    payments: 'Payments',
    sessions: 'Sessions',
    webhooks: 'Webhooks',
    audit: 'Audit',
    status: 'Status',
  },
  id: {
    orders: 'Pesanan',
    subscriptions: 'Langganan',
    products: 'Produk',
    coupons: 'Kupon',
    commissions: 'Komisi',
    payouts: 'Pembayaran afiliasi',
    risks: 'Risiko',
    confirmations: 'Konfirmasi pembayaran',
    users: 'Pengguna',
    'user-groups': 'Grup pengguna',
    access: 'Akses',
    files: 'Berkas',
    licenses: 'Lisensi',
    messages: 'Pesan',
    reminders: 'Pengingat',
    affiliates: 'Afiliasi',
    checkout: 'Checkout',
    payments: 'Pembayaran',
    sessions: 'Sesi',
    webhooks: 'Webhook',
    audit: 'Audit',
    status: 'Status',
  },
});
