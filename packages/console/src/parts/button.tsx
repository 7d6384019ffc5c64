import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the main action; `danger`: an action that can't be undone; `quiet`: a secondary action. */
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** True while its action is running: pressing it again does nothing. */
  readonly busy?: boolean | undefined;
}

export const Button = ({ look = 'plain', busy, className, disabled, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={['button', look, className].filter(Boolean).join(' ')}
    disabled={disabled === true || busy === true}
    aria-busy={busy || undefined}
  />
);
