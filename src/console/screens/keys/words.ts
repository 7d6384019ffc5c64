import { scopes } from '../../api/generated.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** Whether a key of these scopes may do everything that keys may. */
const isAll = (granted: readonly string[]) => scopes.every(({ name }) => granted.includes(name));

/** What scopes allow, in words: “reads orders; writes products”. */
export function useMayWords(): (granted: readonly string[]) => string {
  const t = useTexts(texts);
  return (granted) => {
    if (isAll(granted)) return t.everything;
    const of = (action: string) =>
      granted
        .filter((scope) => scope.endsWith(`:${action}`))
        .map((scope) => scope.slice(0, scope.indexOf(':')))
        .join(', ');
    const reading = scopes.filter(({ name }) => name.endsWith(':read'));
    const readsAll = reading.every(({ name }) => granted.includes(name));
    if (readsAll && reading.length === granted.length) return t.readsAll;
    return t.may(of('read'), of('write'), of('delete'));
  };
}

/** The scopes under their resources, in the order of the declarations. */
export const scopesByResource = Map.groupBy(scopes, ({ name }) => name.slice(0, name.indexOf(':')));
