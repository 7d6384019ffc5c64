import { catalogue } from '../../texts/texts.ts';

export const texts = catalogue({
  en: { title: 'Webhooks' },
  id: { title: 'Webhook' },
});
