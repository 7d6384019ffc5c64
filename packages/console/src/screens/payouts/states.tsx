import type { PayoutLine, PayoutRun } from '../../api/generated.ts';
import { Status, type Tone } from '../../parts/status.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const runTones: Readonly<Record<PayoutRun['status'], Tone>> = {
  draft: 'wait',
  confirmed: 'good',
  discarded: 'neutral',
};

export const RunState = ({ status }: Pick<PayoutRun, 'status'>) => (
  <Status tone={runTones[status]}>{useTexts(texts).statuses[status]}</Status>
);

const lineTones: Readonly<Record<PayoutLine['status'], Tone>> = {
  draft: 'neutral',
  'left-out': 'neutral',
  confirmed: 'wait',
  paid: 'good',
  returned: 'bad',
};

export const LineState = ({ status }: Pick<PayoutLine, 'status'>) => (
  <Status tone={lineTones[status]}>{useTexts(texts).lineStatuses[status]}</Status>
);
