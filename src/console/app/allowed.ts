import { useMay } from '../context/session.ts';
import { type Screen, screens } from './screens.ts';

/** The screens that the account may see. */
export function useAllowed(): readonly Screen[] {
  const may = useMay();
  return screens.filter(({ needs }) => needs === undefined || may(needs));
}

/** Whether the account sees screens for developers, and with them how screens are called by API. */
export const useSeesDevelopers = (): boolean =>
  useAllowed().some(({ group }) => group === 'developers');
