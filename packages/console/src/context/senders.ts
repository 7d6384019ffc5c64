import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { MessageSender } from '../api/generated.ts';
import { catalogue, useTexts } from '../texts/texts.ts';
import { usePhone } from './phone.ts';
import { useMay } from './session.ts';

const texts = catalogue({
  en: {
    told: 'The buyer is told.',
    untold: 'The buyer gets no message: tell them yourself.',
  },
  id: {
    told: 'Pembeli diberi tahu.',
    untold: 'Tidak ada pesan ke pembeli: kabari sendiri.',
  },
});

/** The sender of each medium; undefined until it is read, or if the account may not read it. */
export function useSenders(): readonly MessageSender[] | undefined {
  const may = useMay();
  return useQuery({
    queryKey: ['senders'],
    queryFn: async ({ signal }) => (await api.messages.senders({ signal })).data,
    enabled: may('messages:read'),
  }).data;
}

/** True if it is known that no e-mail can be sent. */
export const useLacksMail = (): boolean =>
  useSenders()?.some(({ medium, sender }) => medium === 'email' && sender === null) ?? false;

interface Reader {
  readonly id: number;
  readonly email: string;
}

/** Tells if messages reach a reader: one of their addresses has a sender. Undefined until that is known. */
function useIsTold(reader: Reader | undefined): boolean | undefined {
  const senders = useSenders();
  const media = (senders ?? []).flatMap(({ medium, sender }) => (sender === null ? [] : [medium]));
  const byPhone = media.some((medium) => medium !== 'email');
  const phone = usePhone(byPhone ? reader?.id : undefined);
  if (!senders || !reader) return undefined;
  if (media.includes('email') && reader.email) return true;
  if (!byPhone) return false;
  return phone === undefined ? undefined : phone !== '';
}

/** Says if a buyer gets a message about a planned action. */
export function useTold(reader: Reader | undefined): string {
  const t = useTexts(texts);
  const isTold = useIsTold(reader);
  if (isTold === undefined) return '';
  return isTold ? t.told : t.untold;
}
