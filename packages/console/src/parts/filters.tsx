import { useEffect, useState } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** The name of the search. */
  readonly label: string;
}

/** Searches after a pause in typing, or at once with Enter; `/` focuses it. */
export function SearchField({ value, onSearch, label }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onSearch(text.trim()), 350);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <form
      role="search"
      className="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <Icon name="search" />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </form>
  );
}

interface FilterChipsProps {
  readonly items: readonly {
    readonly name: string;
    readonly value: string;
    readonly onRemove: () => void;
  }[];
}

export function FilterChips({ items }: FilterChipsProps) {
  const t = useTexts(common).actions;
  if (items.length === 0) return null;
  return (
    <ul className="chips">
      {items.map(({ name, value, onRemove }) => (
        <li key={name} className="chip">
          <span className="faint">{name}</span> {value}
          <button type="button" aria-label={t.remove(`${name} ${value}`)} onClick={onRemove}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface DayFieldProps {
  readonly name: string;
  /** A date, like `2026-03-12`; empty for none. */
  readonly value: string;
  readonly onChange: (date: string) => void;
}

export const DayField = ({ name, value, onChange }: DayFieldProps) => (
  <label className="day-field">
    {name}
    <input
      type="date"
      className="input"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </label>
);
