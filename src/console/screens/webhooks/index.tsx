import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export default function Webhooks() {
  const t = useTexts(texts);
  return <Page title={t.title} />;
}
