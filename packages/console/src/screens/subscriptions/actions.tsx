import { useState } from 'react';
import { useMay } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Cancel } from './cancel.tsx';
import { Change } from './change.tsx';
import { Pause, Resume, Withdraw } from './pause.tsx';
import type { Part } from './taking.tsx';
import { texts } from './texts.ts';

const forms = { cancel: Cancel, pause: Pause, resume: Resume, withdraw: Withdraw, change: Change };

type Action = keyof typeof forms;

/** The actions that its status allows. */
function allowed({ status, scheduled, cancelled_at }: Part['subscription']): Action[] {
  const isRunning = status === 'active' || status === 'paused';
  const isOver = status === 'expired' && cancelled_at === null;
  return [
    ...(status === 'active' && scheduled.length > 0 ? (['withdraw'] as const) : []),
    ...(status === 'active' ? (['pause'] as const) : []),
    ...(status === 'paused' ? (['resume'] as const) : []),
    'change',
    ...(isRunning || isOver ? (['cancel'] as const) : []),
  ];
}

/** The actions of a subscription; each shows its effect first. */
export function Actions({ subscription }: Part) {
  const t = useTexts(texts).actions;
  const may = useMay();
  const [chosen, setChosen] = useState<Action>();
  if (!may('subscriptions:write')) return null;
  if (chosen) {
    const Form = forms[chosen];
    return <Form subscription={subscription} onDone={() => setChosen(undefined)} />;
  }
  return allowed(subscription).map((action) => (
    <Button
      key={action}
      look={action === 'cancel' ? 'danger' : action === 'resume' ? 'primary' : 'plain'}
      onClick={() => setChosen(action)}
    >
      {t[action]}
    </Button>
  ));
}
