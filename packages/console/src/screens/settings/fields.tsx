import { type ReactNode, useState } from 'react';
import type { Settings } from '../../api/generated.ts';
import { useStore } from '../../context/session.ts';
import { ageText } from '../../lib/measure.ts';
import { amountOf } from '../../lib/money.ts';
import { Choice } from '../../parts/choice.tsx';
import { DraftField, Marked } from '../../parts/draft-form.tsx';
import { TextInput } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import type { SettingsDraft } from './setup.ts';
import { texts } from './texts.ts';

type Named<T> = {
  [K in keyof Settings & keyof (typeof texts)['en']['fields']]: Settings[K] extends T ? K : never;
}[keyof Settings & keyof (typeof texts)['en']['fields']];

interface FieldOf<T> {
  readonly draft: SettingsDraft;
  /** The setting; its label and hint are in the texts. */
  readonly name: Named<T>;
}

export function TextSetting({
  draft: { values, edit },
  name,
  ...input
}: FieldOf<string> & {
  readonly type?: 'email' | 'url' | 'tel';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly pattern?: string;
}) {
  const t = useTexts(texts).fields[name];
  return (
    <DraftField name={name} label={t.label} hint={t.hint} required={input.required ?? false}>
      <TextInput
        {...input}
        value={values[name]}
        onChange={({ target }) => edit({ [name]: target.value })}
      />
    </DraftField>
  );
}

export function NumberSetting({
  draft: { values, edit },
  name,
  min,
  max,
}: FieldOf<number> & { readonly min: number; readonly max: number }) {
  const t = useTexts(texts).fields[name];
  return (
    <DraftField name={name} label={t.label} hint={t.hint}>
      <NumberInput
        min={min}
        max={max}
        value={values[name]}
        onChange={(value) => edit({ [name]: value })}
      />
    </DraftField>
  );
}

interface NumberInputProps {
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A whole number; empty while it is typed, which the browser refuses to send. */
export const NumberInput = ({ min, max, value, onChange }: NumberInputProps) => (
  <TextInput
    type="number"
    inputMode="numeric"
    required
    className="short"
    min={min}
    max={max}
    step={1}
    value={value}
    onChange={({ target }) => onChange((target.value === '' ? '' : Number(target.value)) as number)}
  />
);

/** Usual durations in seconds: from an hour to 30 days. */
const durations = [3600, 43_200, 86_400, 604_800, 2_592_000];

/** A setting in seconds, chosen in hours and days. */
export function DurationSetting({ draft: { values, edit }, name }: FieldOf<number>) {
  const t = useTexts(texts).fields[name];
  const locale = useLocale();
  const value = values[name];
  const choices = [...new Set([...durations, value])].toSorted((one, other) => one - other);
  return (
    <DraftField name={name} label={t.label} hint={t.hint}>
      <Select
        value={String(value)}
        options={choices.map((each) => [String(each), ageText(each, locale)])}
        onChange={(each) => edit({ [name]: Number(each) })}
      />
    </DraftField>
  );
}

export function AmountSetting({ draft: { values, edit }, name }: FieldOf<number>) {
  const t = useTexts(texts);
  const store = useStore();
  const [typed, setTyped] = useState('');
  const read = (text: string) => amountOf(text, store) ?? none;
  const value = values[name];
  const exponent = store.currency_exponent ?? 0;
  const plain = value === none ? '' : (value / 10 ** exponent).toFixed(exponent);
  return (
    <DraftField name={name} label={t.fields[name].label} hint={t.fields[name].hint}>
      <TextInput
        inputMode="decimal"
        required
        value={typed !== '' && read(typed) === value ? typed : plain}
        onChange={({ target }) => {
          setTyped(target.value);
          target.setCustomValidity(read(target.value) === none ? t.noAmount : '');
          edit({ [name]: read(target.value) });
        }}
      />
    </DraftField>
  );
}

/** Stands for a text that is no amount. */
const none = -1;

export function SwitchSetting({ draft: { values, edit }, name }: FieldOf<boolean>) {
  const t = useTexts(texts).fields[name];
  return (
    <Marked name={name}>
      <Choice
        name={t.label}
        hint={t.hint}
        checked={values[name]}
        onChange={(checked) => edit({ [name]: checked })}
      />
    </Marked>
  );
}

export function SelectSetting({
  draft: { values, edit },
  name,
  options,
  disabled,
  hint,
}: FieldOf<string | null> & {
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly disabled?: boolean;
  readonly hint?: ReactNode;
}) {
  const t = useTexts(texts).fields[name];
  return (
    <DraftField name={name} label={t.label} hint={hint ?? t.hint}>
      <Select
        value={values[name] ?? ''}
        options={options}
        disabled={disabled}
        onChange={(value) => edit({ [name]: value })}
      />
    </DraftField>
  );
}
