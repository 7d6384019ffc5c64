import type { ApiKey } from '../../api/generated.ts';
import { Status } from '../../parts/status.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export const KeyState = ({ status }: Pick<ApiKey, 'status'>) => (
  <Status tone={status === 'active' ? 'good' : 'neutral'}>{useTexts(texts).states[status]}</Status>
);
