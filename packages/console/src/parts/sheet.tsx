import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { useKeys } from '../context/keys.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

interface SheetProps {
  readonly title: ReactNode;
  /** The content beside the title, such as a status. */
  readonly aside?: ReactNode;
  readonly onClose: () => void;
  /** Opens the record before or after, if there is one. */
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly children: ReactNode;
  /** The actions on the record, which stay visible. */
  readonly actions?: ReactNode;
}

/**
 * A record beside its list, which stays usable: ← and → or `k` and `j` open the next, Esc closes. On a phone it covers
 * the screen.
 */
export function Sheet({
  title,
  aside,
  onClose,
  onPrevious,
  onNext,
  children,
  actions,
}: SheetProps) {
  const t = useTexts(common);
  const body = useRef<HTMLDivElement>(null);
  useKeys({
    ...(onPrevious && { k: onPrevious, ArrowLeft: onPrevious }),
    ...(onNext && { j: onNext, ArrowRight: onNext }),
  });
  return (
    <Base.Root
      open
      modal={false}
      disablePointerDismissal
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Base.Portal>
        <Base.Popup className="sheet" initialFocus={body}>
          <div className="sheet-head">
            <div className="sheet-title">
              <Base.Title>{title}</Base.Title>
              {aside}
            </div>
            <button
              type="button"
              className="icon-button"
              aria-label={t.sheet.previous}
              disabled={!onPrevious}
              onClick={onPrevious}
            >
              <Icon name="left" />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={t.sheet.next}
              disabled={!onNext}
              onClick={onNext}
            >
              <Icon name="right" />
            </button>
            <Base.Close className="icon-button" aria-label={t.actions.close}>
              <Icon name="close" />
            </Base.Close>
          </div>
          {/* Focusable: screen readers begin here, and the keyboard can scroll it. */}
          <div className="sheet-body" ref={body} tabIndex={0}>
            {children}
          </div>
          {actions && <div className="sheet-actions">{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
