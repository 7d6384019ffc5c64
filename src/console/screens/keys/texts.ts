import { catalogue } from '../../texts/texts.ts';

export const texts = catalogue({
  en: { title: 'API keys' },
  id: { title: 'Kunci API' },
});
