import { type ReactNode, createContext, use, useCallback, useState } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface Undo {
  readonly name: string;
  readonly run: () => void;
}

interface Said {
  readonly id: number;
  readonly text: string;
  readonly undo: Undo | undefined;
}

type Say = (text: string, undo?: Undo) => void;

const Context = createContext<Say>(() => {});

/** Confirms an action; with `undo` the toast stays until it is closed. */
export const useToast = (): Say => use(Context);

let last = 0;

/** Shows toasts in a corner, and announces them to screen readers. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const t = useTexts(common).actions;
  const [said, setSaid] = useState<readonly Said[]>([]);
  const dismiss = useCallback(
    (id: number) => setSaid((before) => before.filter((each) => each.id !== id)),
    [],
  );
  const say: Say = useCallback(
    (text, undo) => {
      const id = (last += 1);
      setSaid((before) => [...before.slice(-2), { id, text, undo }]);
      if (!undo) setTimeout(() => dismiss(id), 6000);
    },
    [dismiss],
  );
  return (
    <Context value={say}>
      {children}
      <div className="toasts" role="status">
        {said.map(({ id, text, undo }) => (
          <div key={id} className="toast">
            <span className="toast-text">{text}</span>
            {undo && (
              <Button
                look="quiet"
                onClick={() => {
                  dismiss(id);
                  undo.run();
                }}
              >
                {undo.name}
              </Button>
            )}
            <button
              type="button"
              className="icon-button"
              aria-label={t.dismiss}
              onClick={() => dismiss(id)}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </Context>
  );
}
