import type { Risk } from '../../api/generated.ts';
import { Status } from '../../parts/status.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const tones = { open: 'wait', cleared: 'good', confirmed: 'bad', void: 'neutral' } as const;

export function RiskState({ risk: { status } }: { readonly risk: Risk }) {
  const t = useTexts(texts).statuses;
  return <Status tone={tones[status]}>{t[status]}</Status>;
}
