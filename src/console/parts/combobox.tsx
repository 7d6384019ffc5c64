import { Combobox as Base } from '@base-ui/react/combobox';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

interface ComboboxProps {
  readonly options: readonly Option[];
  readonly value: Option | null;
  readonly onChange: (option: Option | null) => void;
  /** What is typed, for options that are searched for by the service; without it those given are filtered. */
  readonly onSearch?: (text: string) => void;
  readonly placeholder?: string;
  /** Its name, where it isn't inside a `Field`. */
  readonly label?: string;
}

/** One of many, found by typing. */
export function Combobox({
  options,
  value,
  onChange,
  onSearch,
  placeholder,
  label,
}: ComboboxProps) {
  const t = useTexts(common);
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next: Option | null) => onChange(next)}
      isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
      {...(onSearch && {
        filter: null,
        onInputValueChange: (text: string) => onSearch(text),
      })}
    >
      <Base.Input className="input" placeholder={placeholder} aria-label={label} />
      <Base.Portal>
        <Base.Positioner className="positioner" sideOffset={4}>
          <Base.Popup className="popup">
            <Base.Empty className="popup-note">{t.noMatches}</Base.Empty>
            <Base.List>
              {(option: Option) => (
                <Base.Item key={option.value} value={option} className="item choice">
                  {option.label}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
