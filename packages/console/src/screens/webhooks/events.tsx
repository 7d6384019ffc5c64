import type { EventPattern } from '../../api/generated.ts';
import { Choice } from '../../parts/choice.tsx';
import { useTexts } from '../../texts/texts.ts';
import { eventNames, eventTexts } from './event-texts.ts';
import { texts } from './texts.ts';

const byResource = Map.groupBy(eventNames, (name) => name.split('.')[0] ?? name);

interface EventsProps {
  readonly chosen: readonly EventPattern[];
  readonly onChange: (events: readonly EventPattern[]) => void;
}

/** The events of a webhook: all, all of a kind, or some. */
export function Events({ chosen, onChange }: EventsProps) {
  const t = useTexts(texts).form;
  const isAll = chosen.includes('*');
  return (
    <fieldset className="scopes">
      <legend>{t.events}</legend>
      <Choice name={t.every} checked={isAll} onChange={(all) => onChange(all ? ['*'] : [])} />
      {!isAll && <Groups chosen={chosen} onChange={onChange} />}
      {chosen.length === 0 && <p className="small faint">{t.none}</p>}
    </fieldset>
  );
}

function Groups({ chosen, onChange }: EventsProps) {
  const { ofKind } = useTexts(texts).form;
  const says = useTexts(eventTexts);
  const toggle = (pattern: EventPattern, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, pattern] : chosen.filter((each) => each !== pattern));
  return (
    <div className="scope-groups">
      {[...byResource].map(([resource, names]) => {
        const all = `${resource}.*` as EventPattern;
        return (
          <fieldset key={resource}>
            <legend>{resource}</legend>
            {names.length > 1 && (
              <Choice
                name={all}
                hint={ofKind}
                checked={chosen.includes(all)}
                onChange={(isChosen) => toggle(all, isChosen)}
              />
            )}
            {!chosen.includes(all) &&
              names.map((name) => (
                <Choice
                  key={name}
                  name={name}
                  hint={says[name]}
                  checked={chosen.includes(name)}
                  onChange={(isChosen) => toggle(name, isChosen)}
                />
              ))}
          </fieldset>
        );
      })}
    </div>
  );
}
