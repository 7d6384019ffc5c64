import { catalogue } from '../../texts/texts.ts';

export const texts = catalogue({
  en: { title: 'Proofs' },
  id: { title: 'Bukti bayar' },
});
