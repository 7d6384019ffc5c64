import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { MessageMedium, ReminderTemplate } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { Status } from '../../parts/status.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './reminder-texts.ts';

type Occasion = keyof (typeof texts)['en']['when'];

const occasionOf = ({ type, direction }: ReminderTemplate): Occasion =>
  type === 'order' ? 'order' : direction;

const clock = (hour: number) => `${String(hour).padStart(2, '0')}.00`;

export function ReminderTemplates() {
  const t = useTexts(texts);
  const mayWrite = useMay()('reminders:write');
  const [open, setOpen] = useState<ReminderTemplate | 'new'>();
  const { data, error, refetch } = useQuery({
    queryKey: ['reminderTemplates'],
    queryFn: async ({ signal }) => (await api.reminderTemplates.list({ signal })).data,
  });
  const add = mayWrite && <Button onClick={() => setOpen('new')}>{t.new}</Button>;
  return (
    <Section title={t.templates} actions={add}>
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className="faint">{t.noTemplates}</p>}
      <ul className="entries">
        {data?.map((template) => (
          <li key={template.id}>
            <span className="entry-what">
              {template.title}{' '}
              <span className="faint small">
                {t.when[occasionOf(template)](template.offset, clock(template.hour))}
              </span>
            </span>
            <Status tone={template.active ? 'good' : 'neutral'}>
              {template.active ? t.on : t.off}
            </Status>
            {mayWrite && (
              <Button look="quiet" onClick={() => setOpen(template)}>
                {t.edit(template.title)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {open && (
        <Edit template={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </Section>
  );
}

/** The typed fields of a reminder. */
type Values = Pick<
  ReminderTemplate,
  'offset' | 'hour' | 'media' | 'title' | 'content' | 'active'
> & { readonly occasion: Occasion };

const usual: Values = {
  ...{ occasion: 'order', offset: 1, hour: 9, media: ['email'] },
  ...{ title: '', content: '', active: true },
};

const valuesOf = (template: ReminderTemplate): Values => {
  const { offset, hour, media, title, content, active } = template;
  return { occasion: occasionOf(template), offset, hour, media, title, content, active };
};

interface EditProps {
  /** Undefined for a new reminder. */
  readonly template: ReminderTemplate | undefined;
  readonly onClose: () => void;
}

/** Saves a reminder's rule or deletes it, and reads the rules again. */
function useChange(template: ReminderTemplate | undefined, onClose: () => void) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: async (values: Values | 'delete') => {
      if (values === 'delete') return template && api.reminderTemplates.delete(template);
      const { occasion, ...rest } = values;
      const direction = occasion === 'before' ? 'before' : 'after';
      if (template) return api.reminderTemplates.update(template, { ...rest, direction });
      const type = occasion === 'order' ? 'order' : 'recurring';
      return api.reminderTemplates.create({ ...rest, direction, type });
    },
    onSuccess: (_, values) => {
      toast(values === 'delete' ? t.removed : t.saved);
      onClose();
      return client.invalidateQueries({ queryKey: ['reminderTemplates'] });
    },
  });
}

function Edit({ template, onClose }: EditProps) {
  const t = useTexts(texts);
  const [values, setValues] = useState(template ? valuesOf(template) : usual);
  const change = useChange(template, onClose);
  const title = template ? t.edit(template.title) : t.new;
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm
        action={change}
        verb={title}
        disabled={values.media.length === 0}
        onSubmit={() => change.mutate(values)}
        onCancel={onClose}
      >
        <Fields
          values={values}
          isNew={!template}
          error={change.error}
          onChange={(changes) => setValues({ ...values, ...changes })}
        />
        {template && (
          <div>
            <Button look="danger" onClick={() => change.mutate('delete')}>
              {t.remove}
            </Button>
          </div>
        )}
      </ActionForm>
    </Dialog>
  );
}

interface FieldsProps {
  readonly values: Values;
  readonly isNew: boolean;
  readonly error: Error | null;
  readonly onChange: (changes: Partial<Values>) => void;
}

function Fields({ values, isNew, error, onChange }: FieldsProps) {
  const t = useTexts(texts).fields;
  const { media: words } = useTexts(messageWords);
  const { occasion, offset, hour, media, title, content, active } = values;
  // A reminder for orders stays one for orders: only subscriptions have an end.
  const occasions = (Object.entries(t.occasions) as [Occasion, string][]).filter(
    ([each]) => isNew || (each === 'order') === (occasion === 'order'),
  );
  const toggle = (medium: MessageMedium, isChosen: boolean) =>
    onChange({ media: isChosen ? [...media, medium] : media.filter((each) => each !== medium) });
  return (
    <>
      <Field
        name="type"
        label={t.occasion}
        hint={occasion === 'order' && t.orderHint}
        error={error}
        required
      >
        <Select
          value={occasion}
          options={occasions}
          onChange={(each) => onChange({ occasion: each })}
        />
      </Field>
      <div className="fields">
        <Field name="offset" label={t.offset} error={error} required>
          <TextInput
            type="number"
            className="short"
            min={0}
            required
            value={offset}
            onChange={({ target }) => onChange({ offset: Number(target.value) })}
          />
        </Field>
        <Field name="hour" label={t.hour} hint={t.hourHint} error={error} required>
          <Select
            value={String(hour)}
            options={Array.from({ length: 24 }, (_, each) => [String(each), clock(each)] as const)}
            onChange={(each) => onChange({ hour: Number(each) })}
          />
        </Field>
      </div>
      <fieldset className="scopes">
        <legend>{t.media}</legend>
        <div className="choices">
          {(Object.entries(words) as [MessageMedium, string][]).map(([medium, name]) => (
            <Choice
              key={medium}
              name={name}
              checked={media.includes(medium)}
              onChange={(isChosen) => toggle(medium, isChosen)}
            />
          ))}
        </div>
      </fieldset>
      <Field name="title" label={t.title} error={error} required>
        <TextInput
          required
          value={title}
          onChange={({ target }) => onChange({ title: target.value })}
        />
      </Field>
      <Field name="content" label={t.content} hint={t.contentHint} error={error} required>
        <TextArea
          required
          rows={8}
          value={content}
          onChange={({ target }) => onChange({ content: target.value })}
        />
      </Field>
      <Choice
        name={t.active}
        checked={active}
        onChange={(isActive) => onChange({ active: isActive })}
      />
    </>
  );
}
