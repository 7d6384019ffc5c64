import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useKeys } from '../context/keys.ts';
import type { Screen } from './screens.ts';

interface Openers {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

/** The keys of the frame: `g` and a screen's own, `/`, `?`, and the palette's, which works in fields too. */
export function useGoKeys(screens: readonly Screen[], { onPalette, onHelp }: Openers): void {
  const [, navigate] = useLocation();
  useKeys({
    ...Object.fromEntries(screens.map(({ key, path }) => [`g ${key}`, () => navigate(path)])),
    '/': () => {
      const field = document.querySelector<HTMLElement>('main [type="search"]');
      if (field) field.focus();
      else onPalette();
    },
    '?': onHelp,
  });
  const open = useRef(onPalette);
  useEffect(() => {
    open.current = onPalette;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
