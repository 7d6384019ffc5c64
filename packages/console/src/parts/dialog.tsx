import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

interface DialogProps {
  readonly onClose: () => void;
  readonly title: string;
  /** Its subject in a sentence. */
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly wide?: boolean;
}

/** A dialog, open while it is rendered; the screen behind it is blocked. */
export function Dialog({ onClose, title, text, children, wide = false }: DialogProps) {
  const t = useTexts(common);
  return (
    <Base.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Base.Portal>
        {/* `forceRender`: Base UI omits the backdrop of a dialog over a sheet, since a sheet is a dialog to it. */}
        <Base.Backdrop className="backdrop" forceRender />
        <Base.Popup className={wide ? 'dialog wide' : 'dialog'} data-modal="">
          <div className="dialog-head">
            <Base.Title>{title}</Base.Title>
            <Base.Close className="icon-button" aria-label={t.actions.close}>
              <Icon name="close" />
            </Base.Close>
          </div>
          {text && <Base.Description className="dialog-text">{text}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
