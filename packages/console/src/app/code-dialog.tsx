import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { api } from '../api/client.ts';
import { useSession } from '../context/session.ts';
import { quoted } from '../lib/shell.ts';
import { ActionForm } from '../parts/action-form.tsx';
import { Button } from '../parts/button.tsx';
import { CodeBox } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useSentence } from '../parts/error-view.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { useTexts } from '../texts/texts.ts';
import { linkCommand } from './link.ts';
import { texts } from './texts.ts';

interface CodeDialogProps {
  readonly onClose: (isDone: boolean) => void;
}

/** Asks for the code of the mail. */
export default function CodeDialog({ onClose }: CodeDialogProps) {
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
        <CodeForm onClose={onClose} sending={sending} onResend={() => mutate()} />
      )}
    </Dialog>
  );
}

interface CodeFormProps extends CodeDialogProps {
  readonly sending: { readonly isPending: boolean; readonly error: Error | null };
  readonly onResend: () => void;
}

function CodeForm({ onClose, sending, onResend }: CodeFormProps) {
  const t = useTexts(texts).again;
  const client = useQueryClient();
  const [code, setCode] = useState('');
  const unsent = useSentence(sending.error);
  const renew = useMutation({
    mutationFn: () => api.console.session.renew({ code }),
    onSuccess: ({ data }) => {
      client.setQueryData(['session'], data);
      onClose(true);
    },
  });
  const { isPending, error } = renew;
  const isWrong = error instanceof ApiError && error.code === 'svc_console_code_invalid';
  return (
    <ActionForm
      action={{ isPending, error: isWrong ? null : error }}
      verb={t.verb}
      onSubmit={() => renew.mutate()}
      onCancel={() => onClose(false)}
    >
      {unsent && <p className="complaint">{unsent}</p>}
      <Field
        name="code"
        label={t.code}
        hint={t.kept}
        error={error}
        complaint={isWrong ? error.message : undefined}
        required
      >
        <TextInput
          required
          className="code-input short"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="( *[0-9]){6} *"
          title={t.digits}
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </Field>
      <div>
        <Button look="quiet" busy={sending.isPending} onClick={onResend}>
          {t.resend}
        </Button>
      </div>
    </ActionForm>
  );
}
