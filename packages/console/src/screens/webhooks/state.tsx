import type { Webhook } from '../../api/generated.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const tones = { active: 'good', failing: 'bad', paused: 'wait', disabled: 'neutral' } as const;

/** The status of a webhook, and for how long it has been failing. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(texts);
  const { status, failing_since } = webhook;
  const state = status === 'active' && failing_since ? 'failing' : status;
  return (
    <>
      <Status tone={tones[state]}>{t.states[state]}</Status>
      {failing_since && (
        <span className="small faint">
          {' '}
          {t.since} <Time at={failing_since} />
        </span>
      )}
    </>
  );
}

/** A receiver's answer as a badge. */
export function Answer({ code, error }: { readonly code: number; readonly error: string | null }) {
  const { noAnswer } = useTexts(texts);
  const isGood = error === null && code >= 200 && code < 300;
  return <Status tone={isGood ? 'good' : 'bad'}>{code === 0 ? noAnswer : code}</Status>;
}
