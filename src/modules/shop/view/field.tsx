/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Language } from '../../../schema/lists.ts';

interface FieldProps {
  readonly label: string;
  readonly id: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly children: Child;
}

export const Field = ({ label, id, hint, fault, children }: FieldProps) => (
  <div class={fault ? 'field faulty' : 'field'}>
    <span class="beside">
      <label for={id}>{label}</label>
      {hint && <span class="faint small">{hint}</span>}
    </span>
    {children}
    {fault && (
      <p class="fault" role="alert">
        {fault}
      </p>
    )}
  </div>
);

interface CountryProps {
  readonly language: Language;
  readonly codes: readonly string[];
  /** Offered even if it is none of the codes. */
  readonly value: string;
  /** False offers no country, too. */
  readonly required: boolean;
}

export const CountrySelect = ({ language, codes, value, required }: CountryProps) => {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const countries = codes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, language));
  const others = new Set(required ? [value] : ['', value]);
  return (
    <select id="country" name="country" autocomplete="country" required={required}>
      {[...others]
        .filter((code) => !codes.includes(code))
        .map((code) => ({ code, name: code }))
        .concat(countries)
        .map(({ code, name }) => (
          <option value={code} selected={code === value}>
            {name}
          </option>
        ))}
    </select>
  );
};
