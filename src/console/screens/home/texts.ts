import { catalogue } from '../../texts/texts.ts';

export const texts = catalogue({
  en: { title: 'Home' },
  id: { title: 'Beranda' },
});
