import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the one thing that is done here; `danger`: what can't be undone; `quiet`: beside others. */
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** True while its action is under way: pressing it again does nothing. */
  readonly busy?: boolean | undefined;
}

/** A button, named by its verb. */
export const Button = ({ look = 'plain', busy, className, disabled, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={['button', look, className].filter(Boolean).join(' ')}
    disabled={disabled === true || busy === true}
    aria-busy={busy || undefined}
  />
);
