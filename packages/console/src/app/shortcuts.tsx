import { Switch } from '@base-ui/react/switch';
import { Dialog } from '../parts/dialog.tsx';
import { useTexts } from '../texts/texts.ts';
import { usePreferences } from '../context/preferences.ts';
import type { Screen } from './screens.ts';
import { texts } from './shortcuts-texts.ts';
import { texts as frame } from './texts.ts';

interface ShortcutsProps {
  readonly onClose: () => void;
  readonly screens: readonly Screen[];
}

export default function Shortcuts({ onClose, screens }: ShortcutsProps) {
  const { nav } = useTexts(frame);
  const t = useTexts(texts);
  const { preferences, set } = usePreferences();
  const rows: (readonly [keys: readonly string[], does: string])[] = [
    [['Ctrl', 'K'], t.palette],
    [['/'], t.search],
    ...screens.map(({ key, name }) => [['g', key], t.goTo(nav[name])] as const),
    [['j'], t.nextRow],
    [['k'], t.previousRow],
    [['Enter'], t.openRow],
    [['Esc'], t.close],
    [['?'], t.help],
  ];
  return (
    <Dialog onClose={onClose} title={t.title}>
      <label className="switch-line">
        <Switch.Root
          className="switch"
          checked={preferences.keys}
          onCheckedChange={(keys) => set({ keys })}
        >
          <Switch.Thumb className="thumb" />
        </Switch.Root>
        <span>
          {t.enabled}
          <span className="faint"> {t.enabledText}</span>
        </span>
      </label>
      <table className="plain-table">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t.key}</th>
            <th scope="col">{t.does}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([keys, does]) => (
            <tr key={does}>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
