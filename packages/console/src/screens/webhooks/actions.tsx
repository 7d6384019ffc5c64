import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { Webhook } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { Replay } from './replay.tsx';
import { useSend } from './sending.ts';
import { texts } from './texts.ts';

interface Part {
  readonly webhook: Webhook;
}

export function WebhookActions({ webhook }: Part) {
  const t = useTexts(texts);
  const { edit } = useTexts(common).actions;
  const [asked, setAsked] = useState<'replay' | 'rotate'>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Test webhook={webhook} />
      <Button onClick={() => setAsked('replay')}>{t.replay}</Button>
      <Pause webhook={webhook} />
      <Link className="button plain" href={`/webhooks/${webhook.id}/edit`}>
        {edit}
      </Link>
      <Button onClick={() => setAsked('rotate')}>{t.rotate}</Button>
      {asked === 'replay' && <Replay webhook={webhook} onClose={close} />}
      {asked === 'rotate' && <Rotation webhook={webhook} onClose={close} />}
    </>
  );
}

function useForget(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['webhooks'] });
}

function Test({ webhook }: Part) {
  const t = useTexts(texts);
  const toast = useToast();
  const test = useSend(
    webhook.id,
    () => api.webhooks.test(webhook.id),
    () => toast(t.tested),
  );
  const onError = ({ message }: Error) => toast(message);
  return (
    <Button busy={test.isPending} onClick={() => test.mutate(undefined, { onError })}>
      {t.test}
    </Button>
  );
}

function Pause({ webhook }: Part) {
  const t = useTexts(texts);
  const forget = useForget();
  const toast = useToast();
  const isActive = webhook.status === 'active';
  const change = useMutation({
    mutationFn: () => api.webhooks.update(webhook, { status: isActive ? 'paused' : 'active' }),
    onSuccess: forget,
    onError: (error) => toast(error.message),
  });
  return (
    <Button busy={change.isPending} onClick={() => change.mutate()}>
      {isActive ? t.pause : t.resume}
    </Button>
  );
}

interface AskedProps extends Part {
  readonly onClose: () => void;
}

function Rotation({ webhook, onClose }: AskedProps) {
  const t = useTexts(texts);
  const forget = useForget();
  const rotate = useMutation({
    mutationFn: async () => (await api.webhooks.rotate(webhook.id)).data.secret,
    onSuccess: forget,
  });
  return (
    <Dialog title={t.rotate} text={rotate.data ? undefined : t.rotateText} onClose={onClose}>
      {rotate.data ? (
        <SecretBox secret={rotate.data} label={t.secret} onDone={onClose} />
      ) : (
        <ActionForm
          action={rotate}
          verb={t.rotate}
          onSubmit={() => rotate.mutate()}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}
