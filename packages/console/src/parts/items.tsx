import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface ItemsProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T, at: number) => string | number;
  /** Returns the name of an item, for screen readers. */
  readonly nameOf: (item: T, at: number) => string;
  readonly onRemove: (at: number) => void;
  readonly onAdd: () => void;
  readonly addName: string;
  /** The largest number of items. */
  readonly most: number;
  readonly children: (item: T, at: number) => ReactNode;
}

/** A list in a form: the fields of each item, and buttons that remove and add items. */
export function Items<T>({
  items,
  keyOf,
  nameOf,
  onRemove,
  onAdd,
  addName,
  most,
  children,
}: ItemsProps<T>) {
  const { remove } = useTexts(common).actions;
  return (
    <>
      {items.length > 0 && (
        <ul className="items">
          {items.map((item, at) => (
            <li key={keyOf(item, at)}>
              <fieldset className="editable" aria-label={nameOf(item, at)}>
                {children(item, at)}
              </fieldset>
              <div>
                <Button look="quiet" onClick={() => onRemove(at)}>
                  <Icon name="close" />
                  {remove(nameOf(item, at))}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button disabled={items.length >= most} onClick={onAdd}>
          <Icon name="plus" />
          {addName}
        </Button>
      </div>
    </>
  );
}
