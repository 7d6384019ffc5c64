import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Webhook } from '../../api/generated.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface Part {
  readonly webhook: Webhook;
}

/** What one does with a webhook. */
export function WebhookActions({ webhook }: Part) {
  const t = useTexts(texts);
  const [asked, setAsked] = useState<'replay' | 'rotate'>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Test webhook={webhook} />
      <Button onClick={() => setAsked('replay')}>{t.replay}</Button>
      <Pause webhook={webhook} />
      <Button onClick={() => setAsked('rotate')}>{t.rotate}</Button>
      {asked === 'replay' && <Replay webhook={webhook} onClose={close} />}
      {asked === 'rotate' && <Rotation webhook={webhook} onClose={close} />}
    </>
  );
}

/** Forgets what was read of webhooks. */
function useForget(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['webhooks'] });
}

function Test({ webhook }: Part) {
  const t = useTexts(texts);
  const forget = useForget();
  const toast = useToast();
  const test = useMutation({
    mutationFn: () => api.webhooks.test(webhook.id),
    onSuccess: async () => {
      toast(t.tested);
      // It is sent after the answer.
      await new Promise((resolve) => setTimeout(resolve, 800));
      await forget();
    },
    onError: (error) => toast(error.message),
  });
  return (
    <Button busy={test.isPending} onClick={() => test.mutate()}>
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

/** Sends again what came since deliveries began to fail, or of the last day. */
function Replay({ webhook, onClose }: AskedProps) {
  const t = useTexts(texts);
  const { cancel } = useTexts(common).actions;
  const locale = useLocale();
  const forget = useForget();
  const toast = useToast();
  const [from] = useState(
    () => webhook.failing_since ?? new Date(Date.now() - 86_400_000).toISOString(),
  );
  const { data, error } = useQuery({
    queryKey: ['webhooks', webhook.id, 'replay', from],
    queryFn: async ({ signal }) =>
      (await api.webhooks.countReplay(webhook.id, { from }, { signal })).data.replayed,
  });
  const replay = useMutation({
    mutationFn: () => api.webhooks.replay(webhook.id, { from }),
    onSuccess: async () => {
      toast(t.replayed);
      onClose();
      await forget();
    },
  });
  const failed = error ?? replay.error;
  return (
    <Dialog title={t.replay} text={t.replayText} onClose={onClose}>
      <p>
        {t.replayFrom} <Time at={from} as="both" />
      </p>
      {data !== undefined && (
        <p>
          <strong>{t.replayCount(data.toLocaleString(locale))}</strong>
        </p>
      )}
      {failed && <ErrorView error={failed} />}
      <div className="form-actions">
        <Button onClick={onClose}>{cancel}</Button>
        <Button
          look="primary"
          disabled={!data}
          busy={replay.isPending}
          onClick={() => replay.mutate()}
        >
          {t.replay}
        </Button>
      </div>
    </Dialog>
  );
}

function Rotation({ webhook, onClose }: AskedProps) {
  const t = useTexts(texts);
  const { cancel } = useTexts(common).actions;
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
        <>
          {rotate.error && <ErrorView error={rotate.error} />}
          <div className="form-actions">
            <Button onClick={onClose}>{cancel}</Button>
            <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
              {t.rotate}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
