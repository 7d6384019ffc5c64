import { type ReactNode, useEffect, useRef } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { ErrorView } from './error-view.tsx';

interface ActionFormProps {
  /** The state of the action, from `useMutation`. */
  readonly action: { readonly isPending: boolean; readonly error: Error | null };
  /** The text of the button. */
  readonly verb: string;
  readonly look?: 'primary' | 'danger';
  /** True if a value is missing that the browser can't require. */
  readonly disabled?: boolean;
  readonly className?: string;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  /** The fields, and the effects of the action. */
  readonly children?: ReactNode;
}

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
  // The button that opened the form is often gone by now, and with it the focus.
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
