import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type {
  Language,
  MessageTemplate,
  TemplateKind,
  TemplateMedium,
} from '../../api/generated.ts';
import { type Draft, useDraft } from '../../context/draft.ts';
import { useMay, useSession } from '../../context/session.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DraftForm } from '../../parts/draft-form.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { LongTextField, SwitchField, TextField } from '../../parts/record-fields.tsx';
import { Select } from '../../parts/select.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { Letter } from './sheet.tsx';
import { meanings, occasions } from './template-words.ts';
import { texts } from './texts.ts';

/** The fields of a template: one for each text of each language. */
interface Values {
  readonly active: boolean;
  readonly en_subject: string;
  readonly en_text: string;
  readonly id_subject: string;
  readonly id_text: string;
}

const valuesOf = ({ active, texts: { en, id } }: MessageTemplate): Values => ({
  active,
  en_subject: en.subject,
  en_text: en.text,
  id_subject: id.subject,
  id_text: id.text,
});

interface OneTemplateProps {
  readonly kind: string;
  readonly medium: string;
}

export function OneTemplate({ kind, medium }: OneTemplateProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['templates', kind, medium],
    queryFn: async ({ signal }) =>
      (await api.messageTemplates.get(kind as TemplateKind, medium as TemplateMedium, { signal }))
        .data,
  });
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <Shown template={data} /> : null;
}

interface Part {
  readonly template: MessageTemplate;
}

function useSaveTemplate({ kind, medium, version }: MessageTemplate, onSaved: () => void) {
  const { templates: t } = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  type Update = Parameters<typeof api.messageTemplates.update>[2];
  return useMutation({
    mutationFn: (changes: Update) =>
      api.messageTemplates.update(kind, medium, changes, { ifMatch: version }),
    onSuccess: () => {
      toast(t.saved);
      onSaved();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['templates'] }),
  });
}

/** The changes to send: only the typed texts of each language. */
function updateOf({ active, ...changes }: Partial<Values>) {
  const textOf = (language: Language) => {
    const { [`${language}_subject` as const]: subject, [`${language}_text` as const]: text } =
      changes;
    if (subject === undefined && text === undefined) return {};
    return {
      [language]: {
        ...(subject !== undefined && { subject }),
        ...(text !== undefined && { text }),
      },
    };
  };
  const said = { ...textOf('en'), ...textOf('id') };
  return {
    ...(active !== undefined && { active }),
    ...(Object.keys(said).length > 0 && { texts: said }),
  };
}

function Shown({ template }: Part) {
  const { templates: t } = useTexts(texts);
  const mayWrite = useMay()('messages:write');
  const { kind, medium } = template;
  const shown = useLanguage();
  const [language, setLanguage] = useState<Language>(shown);
  const draft = useDraft<Values>(`templates/${kind}/${medium}`, valuesOf(template));
  const save = useSaveTemplate(template, draft.discard);
  const part = { of: draft.values, edit: draft.edit, words: wordsIn(t) };
  return (
    <div className="beside">
      <div>
        <p className="lead toolbar">
          {mayWrite ? (shown === 'id' ? occasions[kind] : template.occasion) : t.readOnly}
        </p>
        <div className="toolbar">
          <Select
            label={t.language}
            value={language}
            options={Object.entries(t.languages) as [Language, string][]}
            onChange={setLanguage}
          />
          {mayWrite && template.texts[language].own && (
            <Button
              title={t.usualText}
              busy={save.isPending}
              onClick={() => save.mutate({ texts: { [language]: null } })}
            >
              {t.usual}
            </Button>
          )}
        </div>
        <fieldset className="editable" disabled={!mayWrite}>
          <DraftForm draft={draft} save={save} onSave={() => save.mutate(updateOf(draft.changes))}>
            <SwitchField {...part} name="active" />
            {medium === 'email' && (
              <TextField key={language} {...part} name={`${language}_subject`} required />
            )}
            <LongTextField
              key={`${language}_text`}
              {...part}
              name={`${language}_text`}
              rows={14}
              required
            />
          </DraftForm>
        </fieldset>
        <Placeholders template={template} />
      </div>
      <aside className="card" aria-label={t.preview}>
        <Preview template={template} draft={draft} language={language} />
      </aside>
    </div>
  );
}

/** The labels of the fields; only those of one language are shown. */
const wordsIn = ({ active, subject, text }: (typeof texts)['en']['templates']) => ({
  active,
  en_subject: subject,
  id_subject: subject,
  en_text: text,
  id_text: text,
});

function Placeholders({ template: { placeholders } }: Part) {
  const { templates: t } = useTexts(texts);
  const inIndonesian = useLanguage() === 'id';
  return (
    <details>
      <summary>{t.placeholders}</summary>
      <ul className="entries">
        {placeholders.map(({ name, description }) => (
          <li key={name}>
            <code>{`{{${name}}}`}</code>
            <span className="faint">
              {inIndonesian ? (meanings[name] ?? description) : description}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface PreviewProps extends Part {
  readonly draft: Draft<Values>;
  readonly language: Language;
}

function Preview({ template: { kind, medium }, draft: { values }, language }: PreviewProps) {
  const { templates: t } = useTexts(texts);
  const mayWrite = useMay()('messages:write');
  const [isTesting, setTesting] = useState(false);
  const typed = {
    language,
    ...(medium === 'email' && { subject: values[`${language}_subject`] }),
    text: values[`${language}_text`],
  };
  const { data, error } = useQuery({
    queryKey: ['templates', kind, medium, 'preview', typed],
    queryFn: async ({ signal }) =>
      (await api.messageTemplates.preview(kind, medium, typed, { signal })).data,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h2>{t.preview}</h2>
      <p className="faint small">{t.invented}</p>
      {error && <ErrorView error={error} />}
      {data && !error && <Letter subject={data.subject} text={data.text} />}
      {mayWrite && <Button onClick={() => setTesting(true)}>{t.test}</Button>}
      {isTesting && (
        <Test kind={kind} medium={medium} typed={typed} onClose={() => setTesting(false)} />
      )}
    </>
  );
}

interface TestProps extends Pick<MessageTemplate, 'kind' | 'medium'> {
  readonly typed: { readonly language: Language; readonly subject?: string; readonly text: string };
  readonly onClose: () => void;
}

function Test({ kind, medium, typed, onClose }: TestProps) {
  const { templates: t } = useTexts(texts);
  const toast = useToast();
  const { email } = useSession().user;
  const [recipient, setRecipient] = useState(medium === 'email' ? email : '');
  const send = useMutation({
    mutationFn: () => api.messageTemplates.test(kind, medium, { ...typed, recipient }),
    onSuccess: () => {
      toast(t.tested);
      onClose();
    },
  });
  return (
    <Dialog title={t.test} text={t.testText} onClose={onClose}>
      <ActionForm action={send} verb={t.test} onSubmit={() => send.mutate()} onCancel={onClose}>
        <Field name="recipient" label={t.recipient[medium]} error={send.error} required>
          <TextInput
            required
            type={medium === 'email' ? 'email' : 'tel'}
            value={recipient}
            onChange={({ target }) => setRecipient(target.value)}
          />
        </Field>
      </ActionForm>
    </Dialog>
  );
}
