import { catalogue } from '../../texts/texts.ts';

export const texts = catalogue({
  en: { title: 'Audit' },
  id: { title: 'Audit' },
});
