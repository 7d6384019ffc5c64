import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { useLacksMail } from '../../context/senders.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface LinkDialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

export function LinkDialog({ user, onClose }: LinkDialogProps) {
  const t = useTexts(texts);
  const toast = useToast();
  const lacksMail = useLacksMail();
  const send = useMutation({
    mutationFn: () => api.console.links.create({ user_id: user.id }),
    onSuccess: () => {
      toast(t.linkSent(user.email));
      onClose();
    },
  });
  return (
    <Dialog
      title={t.sendLink}
      text={lacksMail ? t.linkUnsent : t.linkText(user.email)}
      onClose={onClose}
    >
      <ActionForm
        action={send}
        verb={t.send}
        disabled={lacksMail}
        onSubmit={() => send.mutate()}
        onCancel={onClose}
      />
    </Dialog>
  );
}
