import type { Texts } from './en.ts';

const units = { daily: 'hari', monthly: 'bulan', yearly: 'tahun' } as const;

export const id: Texts = {
  shop: 'Toko',
  skip: 'Langsung ke isi',
  toShop: 'Ke toko',
  noProducts: 'Belum ada produk yang dijual saat ini.',
  free: 'Gratis',
  insteadOf: 'dari',
  every: (duration, period) =>
    duration === 1 ? `per ${units[period]}` : `tiap ${duration} ${units[period]}`,
  buy: 'Beli',
  getFree: 'Pesan gratis',
  soldOut: 'Stok habis',
  closed: 'Sedang tidak dijual',
  missing: {
    title: 'Tidak ditemukan',
    text: 'Tidak ada apa-apa di alamat ini. Tautannya mungkin terpotong atau sudah tidak berlaku.',
  },
  busy: {
    title: 'Silakan coba lagi',
    text: 'Toko sedang sibuk. Tidak ada yang dipesan atau diubah. Tunggu sebentar, lalu muat ulang halaman.',
  },
  refused: {
    title: 'Belum berhasil',
    text: 'Permintaan tidak lengkap. Kembali dan coba lagi.',
  },
};
