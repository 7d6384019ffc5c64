import { Dialog as Base } from '@base-ui/react/dialog';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useKeys } from '../context/keys.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { ErrorView } from './error-view.tsx';
import { Icon } from './icon.tsx';

interface SheetProps {
  /** Undefined without a record. */
  readonly title: ReactNode;
  /** The query for the record, or for the list that has it. */
  readonly query: Pick<UseQueryResult, 'error' | 'isPending' | 'refetch'>;
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
  query,
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
              <Base.Title>{title ?? (query.isPending ? t.loading : t.sheet.missing)}</Base.Title>
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
            <Missing title={title} query={query} />
            {children}
          </div>
          {actions && <div className="sheet-actions">{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Says why there is no record, unless it is still being read. */
function Missing({ title, query }: Pick<SheetProps, 'title' | 'query'>) {
  const { sheet } = useTexts(common);
  const { error, isPending, refetch } = query;
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return title === undefined && !isPending && <p>{sheet.noRecord}</p>;
}
