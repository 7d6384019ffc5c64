import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useState } from 'react';

interface MenuProps {
  /** The content of the button that opens it. */
  readonly trigger: ReactNode;
  /** The button's name, if its content is a drawing. */
  readonly label?: string;
  readonly className?: string;
  /** `MenuItem`s, `MenuChoice`s and `MenuLine`s. */
  readonly children: ReactNode;
}

/**
 * A button with a menu of actions. The browser opens it on top, closes it by Esc or a click elsewhere, and returns the
 * focus; arrows move along its items.
 */
export function Menu({ trigger, label, className = 'button plain', children }: MenuProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const onToggle = ({ newState, currentTarget: menu }: ToggleEvent<HTMLDivElement>) => {
    setOpen(newState === 'open');
    if (newState === 'open') itemsOf(menu)[0]?.focus();
  };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={id}
        onClick={({ currentTarget }) => place(id, currentTarget)}
      >
        {trigger}
      </button>
      <div
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="popup menu"
        onToggle={onToggle}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
    </>
  );
}

const itemsOf = (menu: Element) => [
  ...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)'),
];

/** Places a menu below the end of its button. */
function place(id: string, button: HTMLElement): void {
  const { style } = document.querySelector<HTMLElement>(`#${CSS.escape(id)}`) ?? button;
  const { bottom, right } = button.getBoundingClientRect();
  style.top = `${bottom + 6}px`;
  style.right = `${Math.max(8, document.documentElement.clientWidth - right)}px`;
}

function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const moves: Partial<Record<string, number>> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const to = moves[event.key];
  if (event.key === 'Tab') event.currentTarget.hidePopover();
  if (to === undefined) return;
  event.preventDefault();
  items[to]?.focus();
}

const close = (element: Element) => element.closest<HTMLElement>('[popover]')?.hidePopover();

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

export const MenuItem = ({ onSelect, danger = false, children }: MenuItemProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    className={danger ? 'item danger' : 'item'}
    onClick={({ currentTarget }) => {
      close(currentTarget);
      onSelect();
    }}
  >
    {children}
  </button>
);

export const MenuLine = () => <div role="separator" className="line" />;

interface MenuChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, name: string])[];
  readonly onChange: (value: T) => void;
}

/** One of several items, of which exactly one is selected. */
export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChange,
}: MenuChoiceProps<T>) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="group-label">
        {label}
      </p>
      {options.map(([each, name]) => (
        <button
          key={each}
          type="button"
          role="menuitemradio"
          aria-checked={each === value}
          tabIndex={-1}
          className="item choice"
          onClick={() => onChange(each)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
