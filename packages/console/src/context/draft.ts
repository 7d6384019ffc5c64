import { useState } from 'react';
import { useSession } from './session.ts';

/** The typed values of a form, each with the former value of its field. */
interface Typed<T> {
  readonly changes: Partial<T>;
  readonly before: Partial<T>;
}

/** A record with the typed changes. */
export interface Draft<T> {
  readonly values: T;
  /** Typed values that aren't saved. */
  readonly changes: Partial<T>;
  /** Fields that somebody else has changed since they were typed over. */
  readonly overtaken: readonly (keyof T)[];
  readonly edit: (changes: Partial<T>) => void;
  readonly discard: () => void;
}

const prefix = 'draft:';

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const fieldsOf = <T extends object>(record: Partial<T>) => Object.keys(record) as (keyof T)[];

const pick = <T extends object>(record: T, fields: readonly (keyof T)[]) =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as Partial<T>;

function read<T>(name: string): Typed<T> {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '') as Typed<T>;
  } catch {
    return { changes: {}, before: {} };
  }
}

function keep<T extends object>(name: string, typed: Typed<T>): void {
  try {
    if (fieldsOf(typed.changes).length === 0) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(typed));
  } catch {
    // The storage is unavailable: the state lasts until the page is closed.
  }
}

/**
 * Keeps the values typed over a record. They stay in this tab when the session ends, or the page is left or reloaded.
 * @param name unique name of the form
 */
export function useDraft<T extends object>(name: string, current: T): Draft<T> {
  const key = `${prefix}${useSession().user.id}:${name}`;
  const [typed, setTyped] = useState(() => read<T>(key));
  const put = (next: Typed<T>) => {
    setTyped(next);
    keep(key, next);
  };
  const { changes, before } = typed;
  const open = fieldsOf(changes).filter((field) => !isSame(changes[field], current[field]));
  return {
    values: { ...current, ...changes },
    changes: pick(changes as T, open),
    overtaken: open.filter((field) => !isSame(before[field], current[field])),
    edit: (edited) =>
      put({
        changes: { ...changes, ...edited },
        before: { ...pick(current, fieldsOf(edited)), ...before },
      }),
    discard: () => put({ changes: {}, before: {} }),
  };
}

/** Forgets everything typed in this tab, when the person signs out. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(prefix)) sessionStorage.removeItem(name);
  }
}
