import { useEffect, useRef } from 'react';
import { usePreferences } from './preferences.ts';

/** Actions by key; `g o` means two keys in turn. */
export type Keys = Readonly<Record<string, () => void>>;

/** Tells if an element is a text field, or uses keys itself. */
const isBusy = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="tablist"]',
  ) !== null;

const isModal = () =>
  document.querySelector('[role="dialog"][data-modal], [role="alertdialog"]') !== null;

/**
 * Binds single keys while the calling part is shown. They do nothing in fields, behind an open dialog, or if single
 * keys are off.
 * @param within true if they belong to an open dialog
 */
export function useKeys(keys: Keys, { within = false, enabled = true } = {}): void {
  const { preferences } = usePreferences();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  const isOn = enabled && preferences.keys;
  useEffect(() => {
    if (!isOn) return undefined;
    let first = '';
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isBusy(event.target) || (!within && isModal())) return;
      const both = `${first} ${event.key}`;
      const action = latest.current[both] ?? latest.current[event.key];
      first = Object.keys(latest.current).some((key) => key.startsWith(`${event.key} `))
        ? event.key
        : '';
      if (!action) return;
      event.preventDefault();
      action();
    };
    // Listens before dialogs, which stop arrow keys.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [isOn, within]);
}
