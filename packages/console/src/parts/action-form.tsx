import { type ReactNode, useEffect, useRef } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { ErrorView } from './error-view.tsx';

interface ActionFormProps {
  /** How far it is, as `useMutation` tells. */
  readonly action: { readonly isPending: boolean; readonly error: Error | null };
  /** What is written on the button that does it. */
  readonly verb: string;
  readonly look?: 'primary' | 'danger';
  /** Whether something is missing that the browser can't ask for. */
  readonly disabled?: boolean;
  readonly className?: string;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  /** What it takes, and what comes of it. */
  readonly children?: ReactNode;
}

/** Something that is about to be done: what it takes, what went wrong, and the way back. */
export function ActionForm({
  action: { isPending, error },
  verb,
  look = 'primary',
  disabled = false,
  className = '',
  onSubmit,
  onCancel,
  children,
}: ActionFormProps) {
  const t = useTexts(common).actions;
  const form = useRef<HTMLFormElement>(null);
  // What led here is often gone by now, and the focus with it.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), []);
  return (
    <form
      ref={form}
      className={`form ${className}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {error && <ErrorView error={error} />}
      <div className="form-actions">
        <Button onClick={onCancel}>{t.cancel}</Button>
        <Button type="submit" look={look} disabled={disabled} busy={isPending}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
