import { catalogue } from '../../texts/texts.ts';

export const texts = catalogue({
  en: { title: 'Orders' },
  id: { title: 'Pesanan' },
});
