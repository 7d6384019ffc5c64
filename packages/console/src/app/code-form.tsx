import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { api } from '../api/client.ts';
import { ActionForm } from '../parts/action-form.tsx';
import { Button } from '../parts/button.tsx';
import { useSentence } from '../parts/error-view.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { useTexts } from '../texts/texts.ts';
import { texts } from './texts.ts';

interface CodeFormProps {
  readonly onClose: (isDone: boolean) => void;
  readonly sending: { readonly isPending: boolean; readonly error: Error | null };
  readonly onResend: () => void;
}

export default function CodeForm({ onClose, sending, onResend }: CodeFormProps) {
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
