import { scopes } from '../../api/generated.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Resource, type Scope, resourceTexts } from '../../texts/scopes.ts';
import { texts } from './texts.ts';

/** Every scope, in the order of the declarations. */
export const allScopes: readonly Scope[] = scopes.map(({ name }) => name);

export const resourceOf = (scope: Scope): Resource =>
  scope.slice(0, scope.indexOf(':')) as Resource;

/** The scopes of a key that this version knows. */
export const scopesAmong = (granted: readonly string[]): readonly Scope[] =>
  allScopes.filter((scope) => granted.includes(scope));

const reading = allScopes.filter((scope) => scope.endsWith(':read'));

/** Describes scopes in words: “reads orders, products; writes orders”. */
export function useMayWords(): (granted: readonly string[]) => string {
  const t = useTexts(texts);
  const names = useTexts(resourceTexts);
  return (granted) => {
    const known = scopesAmong(granted);
    if (known.length === allScopes.length) return t.everything;
    if (known.length === reading.length && reading.every((scope) => known.includes(scope))) {
      return t.readsAll;
    }
    const of = (action: string) =>
      known
        .filter((scope) => scope.endsWith(`:${action}`))
        .map((scope) => names[resourceOf(scope)].toLowerCase())
        .join(', ');
    return t.may(of('read'), of('write'), of('send'), of('delete'));
  };
}
