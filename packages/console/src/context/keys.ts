import { useEffect, useRef } from 'react';
import { usePreferences } from './preferences.ts';

/** Actions by key; `g o` is two keys, one after the other. */
export type Keys = Readonly<Record<string, () => void>>;

/** True if somebody is writing there, or the element uses keys itself. */
const isBusy = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="tablist"]',
  ) !== null;

const isModal = () =>
  document.querySelector('[role="dialog"][data-modal], [role="alertdialog"]') !== null;

/**
 * Binds single keys while the calling part is shown. They do nothing in fields, beneath an open dialog, or when
 * single keys are switched off.
 * @param within whether they work while a dialog is open, being its own
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
    // Before dialogs, which keep arrows to themselves.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [isOn, within]);
}
