import { createContext, use, useEffect, useState } from 'react';
import type { Language } from '../texts/texts.ts';

/** The settings of this browser. */
export interface Preferences {
  /** Undefined: the account's or the store's. */
  readonly language: Language | undefined;
  /** Undefined: the system's. */
  readonly theme: 'light' | 'dark' | undefined;
  /** True if single keys are shortcuts. */
  readonly keys: boolean;
}

export interface PreferencesSetting {
  readonly preferences: Preferences;
  readonly set: (changes: Partial<Preferences>) => void;
}

const name = 'console';
const usual: Preferences = { language: undefined, theme: undefined, keys: true };

/** None of it is secret. A browser without storage has the defaults. */
function read(): Preferences {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(name) ?? '{}') as object) };
  } catch {
    return usual;
  }
}

function keep(preferences: Preferences): void {
  try {
    localStorage.setItem(name, JSON.stringify(preferences));
  } catch {
    // The storage is unavailable: the preferences last until the page is closed.
  }
}

const Context = createContext<PreferencesSetting>({ preferences: usual, set: () => {} });

export const PreferencesProvider = Context.Provider;

export const usePreferences = (): PreferencesSetting => use(Context);

/** The preferences of this browser, applied to the page's root. */
export function usePreferencesState(): PreferencesSetting {
  const [preferences, setPreferences] = useState(read);
  const { theme } = preferences;
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === undefined) delete dataset['theme'];
    else dataset['theme'] = theme;
  }, [theme]);
  const set = (changes: Partial<Preferences>) => {
    const next = { ...preferences, ...changes };
    setPreferences(next);
    keep(next);
  };
  return { preferences, set };
}
