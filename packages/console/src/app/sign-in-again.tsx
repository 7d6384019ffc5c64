import { Suspense, lazy, useEffect, useState } from 'react';
import { onSignInAgain } from '../api/refusals.ts';
import { Boundary } from '../parts/error-view.tsx';

// Loaded on demand: few sessions need it, and dialogs are large.
const CodeDialog = lazy(() => import('./code-dialog.tsx'));

/** Asks for a code if a call needs a fresh session. The filled-in form stays, and is sent afterwards. */
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
