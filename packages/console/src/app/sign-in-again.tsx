import { Suspense, lazy, useEffect, useState } from 'react';
import { onSignInAgain } from '../api/refusals.ts';
import { Boundary } from '../parts/error-view.tsx';

// Few sessions need it, and dialogs are a large part of what it takes.
const CodeDialog = lazy(() => import('./code-dialog.tsx'));

/** Asks for a code when something takes a recent sign-in; what was filled in stays beneath, and is sent after it. */
export function SignInAgain() {
  const [answer, setAnswer] = useState<(isDone: boolean) => void>();
  useEffect(() => onSignInAgain(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  return (
    <Boundary>
      <Suspense>
        <CodeDialog
          onClose={(isDone) => {
            setAnswer(undefined);
            answer(isDone);
          }}
        />
      </Suspense>
    </Boundary>
  );
}
