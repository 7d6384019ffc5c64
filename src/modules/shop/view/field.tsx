/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';

interface FieldProps {
  readonly label: string;
  readonly id: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly children: Child;
}

export const Field = ({ label, id, hint, fault, children }: FieldProps) => (
  <div class={fault ? 'field faulty' : 'field'}>
    <span class="beside">
      <label for={id}>{label}</label>
      {hint && <span class="faint small">{hint}</span>}
    </span>
    {children}
    {fault && (
      <p class="fault" role="alert">
        {fault}
      </p>
    )}
  </div>
);
