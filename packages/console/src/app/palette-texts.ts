import { catalogue } from '../texts/texts.ts';

export const texts = catalogue({
  en: {
    title: 'Go to',
    label: 'Search screens and records',
    placeholder: 'Order, customer, product, coupon, licence…',
    screens: 'Screens',
    searching: 'Searching…',
    all: (kind: string, query: string) => `${kind} matching “${query}”`,
  },
  id: {
    title: 'Pergi ke',
    label: 'Cari layar dan data',
    placeholder: 'Pesanan, pelanggan, produk, kupon, lisensi…',
    screens: 'Layar',
    searching: 'Mencari…',
    all: (kind: string, query: string) => `${kind} yang cocok dengan “${query}”`,
  },
});
