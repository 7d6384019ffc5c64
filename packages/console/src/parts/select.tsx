import { Field } from '@base-ui/react/field';

interface SelectProps<T extends string> {
  readonly value: T;
  readonly options: readonly (readonly [value: T, name: string])[];
  readonly onChange: (value: T) => void;
  /** Its name, if it isn't inside a `Field`. */
  readonly label?: string;
  readonly disabled?: boolean | undefined;
  /** True if the option with an empty value can't be chosen. */
  readonly required?: boolean;
}

/** A choice of a few: the browser's own, which looks familiar on every phone. */
export const Select = <T extends string>({
  value,
  options,
  onChange,
  label,
  disabled,
  required,
}: SelectProps<T>) => (
  <Field.Control
    className="input select"
    render={
      <select
        value={value}
        aria-label={label}
        disabled={disabled}
        required={required}
        onChange={({ target }) => onChange(target.value as T)}
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    }
  />
);
