import { Field as Base } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

interface FieldProps {
  /** The parameter's name in the API. Errors of the service about it are shown here. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: Error | null | undefined;
  /** The error of this field, from a refusal that names no parameter. */
  readonly complaint?: string | undefined;
  readonly required?: boolean;
  readonly children: ReactNode;
}

export function Field({
  name,
  label,
  hint,
  error,
  complaint: whole,
  required = false,
  children,
}: FieldProps) {
  const t = useTexts(common);
  const said = error instanceof ApiError ? error.params[name] : undefined;
  const complaint = said === undefined ? whole : `${label} ${said}`;
  return (
    <Base.Root className="field" name={name} invalid={complaint !== undefined}>
      <Base.Label className="label">
        {label}
        {!required && <span className="faint"> ({t.optional})</span>}
      </Base.Label>
      {children}
      {hint && <Base.Description className="hint">{hint}</Base.Description>}
      {complaint !== undefined && (
        <Base.Error className="complaint" match>
          {complaint}
        </Base.Error>
      )}
    </Base.Root>
  );
}

/** A line of text, inside a `Field`. */
export const TextInput = ({
  className = '',
  ...props
}: ComponentProps<typeof Base.Control> & { readonly className?: string }) => (
  <Base.Control {...props} className={`input ${className}`} />
);

/** Several lines of text, inside a `Field`. */
export const TextArea = ({ className = '', ...props }: ComponentProps<'textarea'>) => (
  <Base.Control render={<textarea rows={3} {...props} />} className={`input ${className}`} />
);
