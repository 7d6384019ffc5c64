import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type Scope, resourceTexts, scopeTexts } from '../../texts/scopes.ts';
import { texts } from './texts.ts';
import { allScopes, resourceOf } from './words.ts';

/** Usual sets of scopes. */
const presets: Readonly<Record<'all' | 'read' | 'checkout', readonly Scope[]>> = {
  all: allScopes,
  read: allScopes.filter((name) => name.endsWith(':read')),
  checkout: [
    ...(['orders:read', 'orders:write', 'products:read', 'checkout:read'] as const),
    ...(['payments:read', 'users:read', 'users:write', 'sessions:write'] as const),
  ],
};

const presetNames = ['checkout', 'read', 'all'] as const;

interface ScopesProps {
  /** The scopes to choose from; without it all scopes, and presets. */
  readonly among?: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

export function Scopes({ among, chosen, onChange }: ScopesProps) {
  const t = useTexts(texts).form;
  const resources = useTexts(resourceTexts);
  const allowed = useTexts(scopeTexts);
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(allScopes.filter((each) => (each === scope ? isChosen : chosen.includes(each))));
  return (
    <fieldset className="scopes">
      <legend>{t.scopes}</legend>
      {!among && (
        <div className="row" role="group" aria-label={t.presets}>
          <span className="faint">{t.presets}</span>
          {presetNames.map((preset) => (
            <Button key={preset} onClick={() => onChange(presets[preset])}>
              {t.preset[preset]}
            </Button>
          ))}
        </div>
      )}
      <div className="scope-groups">
        {[...Map.groupBy(among ?? allScopes, resourceOf)].map(([resource, items]) => (
          <fieldset key={resource}>
            <legend>{resources[resource]}</legend>
            {items.map((scope) => (
              <Choice
                key={scope}
                name={allowed[scope]}
                checked={chosen.includes(scope)}
                onChange={(isChosen) => toggle(scope, isChosen)}
              />
            ))}
          </fieldset>
        ))}
      </div>
      {chosen.length === 0 && <p className="small faint">{t.none}</p>}
    </fieldset>
  );
}
