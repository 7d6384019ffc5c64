import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Message } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { useNeighbours } from '../../parts/data-table.tsx';
import { CustomerLink, OrderLink } from '../../parts/names.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { isOfSigningIn } from './resendable.ts';
import { MessageState } from './state.tsx';
import { texts } from './texts.ts';

interface MessageSheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly rows: readonly Message[];
  readonly hrefOf: (message: Message) => string;
  readonly state: ListState;
}

export function MessageSheet({ id, rows, hrefOf, state }: MessageSheetProps) {
  const { kinds } = useTexts(messageWords);
  const [, navigate] = useLocation();
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const listed = rows.find((row) => row.id === id);
  const query = useQuery({
    queryKey: ['messages', id],
    queryFn: async ({ signal }) => (await api.messages.get(id, { signal })).data,
    ...(listed && { placeholderData: listed }),
  });
  const { data } = query;
  return (
    <Sheet
      title={data && kinds[data.kind]}
      query={query}
      aside={data && <MessageState status={data.status} />}
      onClose={() => navigate(`/messages${state.query()}`)}
      {...neighbours}
      actions={data && <Actions message={data} />}
    >
      {data && <Shown message={data} />}
    </Sheet>
  );
}

interface Part {
  readonly message: Message;
}

function Shown({ message }: Part) {
  const { facts: t, ...words } = useTexts(texts);
  const { media } = useTexts(messageWords);
  const { recipient, medium, sender, user_id, order_id, status, subject, text } = message;
  const at = (moment: string | null) => moment && <Time at={moment} as="both" />;
  return (
    <>
      <Facts
        items={[
          [t.to, recipient || words.unaddressed],
          [t.by, [media[medium], sender].filter(Boolean).join(' · ')],
          [t.user, user_id !== null && <CustomerLink id={user_id} />],
          [t.order, order_id !== null && <OrderLink id={order_id} />],
          [t.sent, at(message.sent_at)],
          [t.delivered, at(message.delivered_at)],
          [t.read, at(message.read_at)],
          [t.bounced, at(message.bounced_at)],
          [t.complained, at(message.complained_at)],
          [t.due, status === 'queued' && at(message.due_at)],
          [t.attempts, message.attempts > 1 && String(message.attempts)],
          [t.error, message.last_error && <code>{message.last_error}</code>],
        ]}
      />
      <Section title={words.asSent}>
        {text === null ? (
          <p className="faint">{words.unwritten}</p>
        ) : (
          <Letter subject={subject} text={text} />
        )}
      </Section>
    </>
  );
}

interface LetterProps {
  readonly subject: string | null;
  readonly text: string;
}

export const Letter = ({ subject, text }: LetterProps) => (
  <div className="letter">
    {subject && <strong>{subject}</strong>}
    <p>{text}</p>
  </div>
);

function Actions({ message }: Part) {
  const t = useTexts(texts);
  const may = useMay();
  const [asked, setAsked] = useState<'resend' | 'cancel'>();
  const onDone = () => setAsked(undefined);
  if (asked) return <Asked message={message} asked={asked} onDone={onDone} />;
  const isWaiting = message.status === 'queued';
  if (isOfSigningIn(message)) return null;
  if (isWaiting) {
    return (
      may('messages:write') && (
        <Button look="danger" onClick={() => setAsked('cancel')}>
          {t.cancel.verb}
        </Button>
      )
    );
  }
  return (
    (may('messages:send') || may('messages:write')) && (
      <Button onClick={() => setAsked('resend')}>{t.resend.verb}</Button>
    )
  );
}

interface AskedProps extends Part {
  readonly asked: 'resend' | 'cancel';
  readonly onDone: () => void;
}

function Asked({ message, asked, onDone }: AskedProps) {
  const t = useTexts(texts)[asked];
  const client = useQueryClient();
  const toast = useToast();
  const [, navigate] = useLocation();
  const action = useMutation({
    mutationFn: async () => (await api.messages[asked](message.id)).data,
    onSuccess: ({ id }) => {
      toast(t.done);
      onDone();
      void client.invalidateQueries({ queryKey: ['messages'] });
      if (id !== message.id) navigate(`/messages/${id}`);
    },
  });
  return (
    <ActionForm
      className="action"
      action={action}
      verb={t.verb}
      look={asked === 'cancel' ? 'danger' : 'primary'}
      onSubmit={() => action.mutate()}
      onCancel={onDone}
    >
      <p>{t.text}</p>
    </ActionForm>
  );
}
