import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** Milliseconds between two reads for an answer: increasing, some eight seconds in all. */
const waits = [200, 300, 450, 700, 1000, 1500, 2000, 2000];

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const newestAttempt = async (webhook: number): Promise<number | undefined> =>
  (await api.webhooks.deliveries(webhook, { per_page: 1 })).data[0]?.id;

/**
 * Sends something to a webhook. The receiver answers later than the service, so webhooks are read
 * again once it has.
 */
export function useSend(webhook: number, send: () => Promise<unknown>, onSent: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const before = await newestAttempt(webhook);
      await send();
      for (const milliseconds of waits) {
        await pause(milliseconds);
        if ((await newestAttempt(webhook)) !== before) return;
      }
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['webhooks'] });
      void client.invalidateQueries({ queryKey: ['overview'] });
      onSent();
    },
  });
}
