import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Message, MessageSender, TemplateMedium } from '../../api/generated.ts';
import { useSession } from '../../context/session.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DraftField, DraftForm } from '../../parts/draft-form.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { type SettingsPart, useSettings } from './setup.ts';
import { texts } from './texts.ts';

export function Messages({ setup }: SettingsPart) {
  const t = useTexts(texts);
  const { draft, form } = useSettings('messages', setup);
  return (
    <>
      <Section title={t.sections.senders}>
        <ul className="setup-list">
          {setup.senders.map((sender) => (
            <Sender key={sender.medium} sender={sender} />
          ))}
        </ul>
      </Section>
      <DraftForm {...form}>
        <Section title={t.sections.layout}>
          <DraftField
            name="mail_layout"
            label={t.fields.mail_layout.label}
            hint={t.fields.mail_layout.hint}
            required={false}
          >
            <TextArea
              rows={8}
              className="code-input"
              spellCheck={false}
              value={draft.values.mail_layout}
              onChange={({ target }) => draft.edit({ mail_layout: target.value })}
            />
          </DraftField>
        </Section>
      </DraftForm>
    </>
  );
}

function Sender({ sender: { medium, sender, queued, problem, problem_since } }: SenderProps) {
  const t = useTexts(texts).senders;
  const { media } = useTexts(messageWords);
  const [asked, setAsked] = useState(false);
  const state = sender === null ? 'off' : problem === null ? 'on' : 'broken';
  return (
    <li className="card setup">
      <div className="setup-name">
        <strong>{media[medium]}</strong>
        <Status tone={tones[state]}>{t.states[state]}</Status>
      </div>
      <p className="faint">
        {sender === null ? t.lacks[medium] : t.by(sender)}
        {queued > 0 && ` ${t.queued(queued)}`}
      </p>
      {problem !== null && problem_since !== null && (
        <p className="complaint">
          {t.problem(problem)} <Time at={problem_since} as="distance" />
        </p>
      )}
      {sender !== null && medium !== 'sms' && (
        <Button aria-label={t.testOf(media[medium])} onClick={() => setAsked(true)}>
          {t.test}
        </Button>
      )}
      {asked && medium !== 'sms' && <Test medium={medium} onClose={() => setAsked(false)} />}
    </li>
  );
}

interface SenderProps {
  readonly sender: MessageSender;
}

const tones = { on: 'good', off: 'neutral', broken: 'bad' } as const;

interface TestProps {
  readonly medium: TemplateMedium;
  readonly onClose: () => void;
}

/** Sends a test message, and follows its outcome. */
function Test({ medium, onClose }: TestProps) {
  const t = useTexts(texts).senders;
  const { media } = useTexts(messageWords);
  const { email } = useSession().user;
  const [recipient, setRecipient] = useState(medium === 'email' ? email : '');
  const send = useMutation({
    mutationFn: async () =>
      (await api.messageTemplates.test('welcome', medium, { recipient })).data,
  });
  return (
    <Dialog title={t.testOf(media[medium])} text={t.testText} onClose={onClose}>
      {send.data ? (
        <Sent message={send.data} onClose={onClose} />
      ) : (
        <ActionForm action={send} verb={t.send} onSubmit={() => send.mutate()} onCancel={onClose}>
          <Field name="recipient" label={t.recipient[medium]} error={send.error} required>
            <TextInput
              required
              type={medium === 'email' ? 'email' : 'tel'}
              value={recipient}
              onChange={({ target }) => setRecipient(target.value)}
            />
          </Field>
        </ActionForm>
      )}
    </Dialog>
  );
}

/** Milliseconds between two reads of a message. */
const pause = 1000;

function Sent({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const t = useTexts(texts).senders;
  const { data = message } = useQuery({
    queryKey: ['messages', message.id],
    queryFn: async ({ signal }) => (await api.messages.get(message.id, { signal })).data,
    refetchInterval: ({ state }) =>
      (state.data?.status ?? 'queued') === 'queued' && !state.data?.last_error ? pause : false,
  });
  const { status, last_error } = data;
  return (
    <>
      <p role="status" className={last_error ? 'complaint' : undefined}>
        {last_error ? t.failed(last_error) : status === 'queued' ? t.underWay : t.accepted}
      </p>
      <div className="form-actions">
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      </div>
    </>
  );
}
