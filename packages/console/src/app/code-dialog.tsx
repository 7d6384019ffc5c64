import { useMutation } from '@tanstack/react-query';
import { Suspense, lazy, useEffect } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { api } from '../api/client.ts';
import { useSession } from '../context/session.ts';
import { quoted } from '../lib/shell.ts';
import { CodeBox } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Boundary } from '../parts/error-view.tsx';
import { useTexts } from '../texts/texts.ts';
import { linkCommand } from './link.ts';
import { texts } from './texts.ts';

const CodeForm = lazy(() => import('./code-form.tsx'));

interface CodeDialogProps {
  readonly onClose: (isDone: boolean) => void;
}

export function CodeDialog({ onClose }: CodeDialogProps) {
  const t = useTexts(texts).again;
  const { email } = useSession().user;
  const { mutate, ...sending } = useMutation({ mutationFn: () => api.console.session.sendCode() });
  useEffect(() => mutate(), [mutate]);
  const hasNoSender =
    sending.error instanceof ApiError && sending.error.code === 'message_no_sender';
  return (
    <Dialog
      onClose={() => onClose(false)}
      title={t.title}
      text={hasNoSender ? t.byLink : t.text(email)}
    >
      {hasNoSender ? (
        <>
          <CodeBox text={linkCommand(quoted(email))} label={t.title} />
          <p className="faint">{t.kept}</p>
        </>
      ) : (
        <Boundary>
          <Suspense>
            <CodeForm onClose={onClose} sending={sending} onResend={() => mutate()} />
          </Suspense>
        </Boundary>
      )}
    </Dialog>
  );
}
