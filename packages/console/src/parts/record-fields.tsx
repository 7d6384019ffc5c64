import { type ReactNode, useState } from 'react';
import { useStore } from '../context/session.ts';
import { amountOf } from '../lib/money.ts';
import { instantIn, localIn } from '../lib/local-time.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Choice } from './choice.tsx';
import { DraftField, Marked } from './draft-form.tsx';
import { TextArea, TextInput } from './field.tsx';
import { Select } from './select.tsx';

type KeysOf<T, V> = { [K in keyof T]-?: T[K] extends V ? K : never }[keyof T] & string;

/** A record, or a part of one, in a form. */
export interface Part<T extends object, W> {
  readonly of: T;
  readonly edit: (changes: Partial<T>) => void;
  /** The labels of its fields by name. */
  readonly words: W;
  /** The prefix of a field's name in the service's complaints: `shipping.`. */
  readonly path?: string;
}

interface FieldOf<T extends object, W, V> extends Part<T, W> {
  readonly name: KeysOf<T, V> & keyof W & string;
  readonly hint?: ReactNode;
  readonly required?: boolean;
}

type Named = Readonly<Record<string, unknown>>;

const labelOf = (words: unknown) => (Array.isArray(words) ? words : [words]) as [string, string?];

interface PlaceProps {
  readonly of: FieldOf<object, Named, unknown> | object;
  readonly children: ReactNode;
}

/** The label, the hint and the complaints of a field. */
function Place({ of, children }: PlaceProps) {
  const { words, name, path = '', hint, required = false } = of as FieldOf<object, Named, unknown>;
  const [label, said] = labelOf(words[name]);
  return (
    <DraftField name={path + name} label={label} hint={hint ?? said} required={required}>
      {children}
    </DraftField>
  );
}

const changeOf = <T extends object>(name: string, value: unknown) =>
  ({ [name]: value }) as Partial<T>;

export function TextField<T extends object, W>({
  maxLength,
  type,
  pattern,
  ...field
}: FieldOf<T, W, string> & {
  readonly maxLength?: number;
  readonly type?: 'url';
  readonly pattern?: string;
}) {
  const { of, name, edit, required } = field;
  return (
    <Place of={field}>
      <TextInput
        {...{ type, maxLength, pattern, required }}
        value={of[name] as string}
        onChange={({ target }) => edit(changeOf(name, target.value))}
      />
    </Place>
  );
}

export function LongTextField<T extends object, W>({
  rows = 3,
  ...field
}: FieldOf<T, W, string> & { readonly rows?: number }) {
  const { of, name, edit, required } = field;
  return (
    <Place of={field}>
      <TextArea
        rows={rows}
        required={required}
        value={of[name] as string}
        onChange={({ target }) => edit(changeOf(name, target.value))}
      />
    </Place>
  );
}

interface Limits {
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}

/** A number; null while the field is empty, which a required field doesn't allow. */
export function NumberField<T extends object, W>({
  min = 0,
  max,
  step = 1,
  ...field
}: FieldOf<T, W, number | null> & Limits) {
  const { of, name, edit, required } = field;
  return (
    <Place of={field}>
      <TextInput
        type="number"
        inputMode={step < 1 ? 'decimal' : 'numeric'}
        className="short"
        {...{ min, max, step, required }}
        value={(of[name] as number | null) ?? ''}
        onChange={({ target: { value } }) =>
          edit(changeOf(name, value === '' ? null : Number(value)))
        }
      />
    </Place>
  );
}

/** A moment, typed in the store's time; null while it is empty. */
export function MomentField<T extends object, W>(field: FieldOf<T, W, string | null>) {
  const { of, name, edit } = field;
  const { timezone } = useStore();
  const value = of[name] as string | null;
  return (
    <Place of={field}>
      <TextInput
        type="datetime-local"
        value={value === null ? '' : localIn(timezone, value)}
        onChange={({ target }) =>
          edit(changeOf(name, target.value === '' ? null : instantIn(timezone, target.value)))
        }
      />
    </Place>
  );
}

/** An amount of money as people type it; null if it is empty or invalid. */
export function AmountField<T extends object, W>({
  signed = false,
  ...field
}: FieldOf<T, W, number | null> & { readonly signed?: boolean }) {
  const { of, name, edit, required } = field;
  return (
    <Place of={field}>
      <AmountInput
        signed={signed}
        required={required ?? false}
        value={of[name] as number | null}
        onChange={(value) => edit(changeOf(name, value))}
      />
    </Place>
  );
}

interface AmountInputProps {
  /** True if it may be below zero. */
  readonly signed: boolean;
  readonly required: boolean;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** The input of an amount: the typed text stays while it means the amount. */
export function AmountInput({ signed, required, value, onChange }: AmountInputProps) {
  const { noAmount } = useTexts(common);
  const store = useStore();
  const [typed, setTyped] = useState<string>();
  const read = (text: string) => {
    const [, minus, rest = ''] = /^\s*([-−])?(.*)$/.exec(text) ?? [];
    const amount = amountOf(minus && signed ? rest : text, store) ?? null;
    return amount !== null && minus ? -amount : amount;
  };
  const exponent = store.currency_exponent ?? 0;
  const plain = value === null ? '' : (value / 10 ** exponent).toFixed(exponent);
  return (
    <TextInput
      inputMode="decimal"
      className="short"
      required={required}
      value={typed !== undefined && read(typed) === value ? typed : plain}
      onChange={({ target }) => {
        const isWrong = target.value.trim() !== '' && read(target.value) === null;
        target.setCustomValidity(isWrong ? noAmount : '');
        setTyped(target.value);
        onChange(read(target.value));
      }}
    />
  );
}

export function SwitchField<T extends object, W>(field: FieldOf<T, W, boolean>) {
  const { of, name, edit, words, path = '' } = field;
  const [label, hint] = labelOf((words as Named)[name]);
  return (
    <Marked name={path + name}>
      <Choice
        name={label}
        {...(hint !== undefined && { hint })}
        checked={of[name] as boolean}
        onChange={(checked) => edit(changeOf(name, checked))}
      />
    </Marked>
  );
}

export function SelectField<T extends object, W>({
  options,
  ...field
}: FieldOf<T, W, string> & {
  readonly options: readonly (readonly [value: string, name: string])[];
}) {
  const { of, name, edit } = field;
  return (
    <Place of={{ ...field, required: true }}>
      <Select
        value={of[name] as string}
        options={options}
        onChange={(value) => edit(changeOf(name, value))}
      />
    </Place>
  );
}
