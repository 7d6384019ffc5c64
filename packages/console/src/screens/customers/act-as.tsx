import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { useTexts } from '../../texts/texts.ts';

export const actAsTexts = {
  en: {
    verb: 'Act as this person',
    text: 'Opens the person’s account in the shop, in this browser, for 30 minutes. The audit log records the reason and your changes. The shop has to be on.',
    reason: 'Reason',
  },
  id: {
    verb: 'Bertindak sebagai orang ini',
    text: 'Membuka akun orang ini di toko, di peramban ini, selama 30 menit. Log audit mencatat alasan dan perubahan Anda. Halaman toko harus aktif.',
    reason: 'Alasan',
  },
};

interface ActAsProps {
  readonly user: User;
  readonly onDone: () => void;
}

export function ActAs({ user, onDone }: ActAsProps) {
  const t = useTexts(actAsTexts);
  const [reason, setReason] = useState('');
  const act = useMutation({
    mutationFn: async () => (await api.shop.accountActAs({ user_id: user.id, reason })).data,
    onSuccess: ({ url }) => {
      window.open(url, '_blank', 'noopener');
      onDone();
    },
  });
  return (
    <ActionForm
      className="action"
      action={act}
      verb={t.verb}
      disabled={reason.trim() === ''}
      onSubmit={() => act.mutate()}
      onCancel={onDone}
    >
      <p>{t.text}</p>
      <Field name="reason" label={t.reason} error={act.error} required>
        <TextInput
          value={reason}
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
    </ActionForm>
  );
}
