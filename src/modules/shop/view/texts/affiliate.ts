import type { Language } from '../../../../schema/lists.ts';

const en = {
  title: 'Affiliate',
  joinText:
    'Share links to our products. When somebody buys through your link, you earn a commission. It is listed here.',
  join: 'Become an affiliate',
  closed: 'You are not an affiliate of this shop.',
  links: 'Your links',
  linksText: 'The purchases of people who visit through these links count for you.',
  noLinks: 'There is no product to promote at the moment.',
  pages: { 'sales-page': 'Sales page', checkout: 'Checkout' } as Record<string, string>,
  figures: (clicks: number, paid: number, commission: string) =>
    `Visits: ${clicks} · paid orders: ${paid} · your commission: ${commission}`,
  earnings: 'Your earnings',
  payable: 'To be paid out next',
  held: 'Held until the return period is over',
  pending: 'From orders that are not completed',
  paid: 'Paid out',
  bank: (account: string) => `Paid to: ${account}`,
  noBank: 'Enter the bank account for your payouts.',
  toBank: 'Change your bank account',
  coupons: 'Your coupons',
  commissions: 'Latest commissions',
  tier: (tier: number) => (tier === 1 ? 'your own sale' : `tier ${tier}`),
  states: {
    pending: 'pending',
    held: 'held',
    payable: 'to be paid',
    paid: 'paid',
    cancelled: 'cancelled',
  },
  payouts: 'Payouts',
  results: { paid: 'paid', cancelled: 'returned' },
};

const id: typeof en = {
  title: 'Afiliasi',
  joinText:
    'Bagikan tautan ke produk kami. Jika seseorang membeli lewat tautan Anda, Anda mendapat komisi. Komisi Anda tampil di sini.',
  join: 'Jadi afiliasi',
  closed: 'Anda bukan afiliasi toko ini.',
  links: 'Tautan Anda',
  linksText: 'Pembelian orang yang berkunjung lewat tautan ini dihitung untuk Anda.',
  noLinks: 'Belum ada produk untuk dipromosikan.',
  pages: { 'sales-page': 'Halaman penjualan', checkout: 'Checkout' },
  figures: (clicks, paid, commission) =>
    `Kunjungan: ${clicks} · pesanan dibayar: ${paid} · komisi Anda: ${commission}`,
  earnings: 'Penghasilan Anda',
  payable: 'Akan dibayarkan berikutnya',
  held: 'Ditahan sampai masa pengembalian lewat',
  pending: 'Dari pesanan yang belum selesai',
  paid: 'Sudah dibayarkan',
  bank: (account) => `Dibayarkan ke: ${account}`,
  noBank: 'Isi rekening bank untuk pencairan komisi.',
  toBank: 'Ubah rekening bank',
  coupons: 'Kupon Anda',
  commissions: 'Komisi terbaru',
  tier: (tier) => (tier === 1 ? 'penjualan sendiri' : `tingkat ${tier}`),
  states: {
    pending: 'menunggu',
    held: 'ditahan',
    payable: 'akan dibayar',
    paid: 'dibayar',
    cancelled: 'dibatalkan',
  },
  payouts: 'Pencairan',
  results: { paid: 'dibayar', cancelled: 'dikembalikan' },
};

export const affiliateTexts: Readonly<Record<Language, typeof en>> = { en, id };
