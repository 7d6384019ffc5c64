import { useEffect, useState } from 'react';
import { onSignInAgain } from '../api/refusals.ts';
import { CodeDialog } from './code-dialog.tsx';

/** Asks for a code if a call needs a fresh session. The filled-in form stays, and is sent afterwards. */
export function SignInAgain() {
  const [answer, setAnswer] = useState<(isDone: boolean) => void>();
  useEffect(() => onSignInAgain(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  return (
    <CodeDialog
      onClose={(isDone) => {
        setAnswer(undefined);
        answer(isDone);
      }}
    />
  );
}
