import { type ReactNode, createContext, use } from 'react';
import type { Draft } from '../context/draft.ts';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { ErrorView } from './error-view.tsx';
import { Field } from './field.tsx';

interface Saving {
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface DraftFormProps<T> {
  readonly draft: Draft<T>;
  readonly save: Saving;
  readonly onSave: () => void;
  /** The label of the button that saves. */
  readonly verb?: string | undefined;
  /** True if a value is wrong that the browser can't check. */
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

interface Shown {
  readonly changes: object;
  readonly overtaken: readonly PropertyKey[];
  readonly error: Error | null;
}

const Context = createContext<Shown>({ changes: {}, overtaken: [], error: null });

/** The form of an existing record: typed values, and buttons that save or discard them. */
export function DraftForm<T extends object>({
  draft,
  save,
  onSave,
  verb,
  disabled = false,
  children,
}: DraftFormProps<T>) {
  const t = useTexts(common);
  const { changes, overtaken } = draft;
  const count = Object.keys(changes).length;
  return (
    <Context value={{ changes, overtaken, error: save.error }}>
      <form
        className="form record-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        {children}
        {save.error && <ErrorView error={save.error} />}
        <div className="form-actions draft-actions" data-changed={count > 0 ? '' : undefined}>
          <span className="faint" role="status">
            {count > 0 && t.draft.unsaved(count)}
          </span>
          <Button disabled={count === 0} onClick={draft.discard}>
            {t.draft.discard}
          </Button>
          <Button
            type="submit"
            look="primary"
            disabled={count === 0 || disabled}
            busy={save.isPending}
          >
            {verb ?? t.actions.save}
          </Button>
        </div>
      </form>
    </Context>
  );
}

interface DraftFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly required?: boolean;
  readonly children: ReactNode;
}

/** A field of such a form, marked while it isn't saved, and if somebody else has changed it. */
export function DraftField({ name, label, hint, required = true, children }: DraftFieldProps) {
  const { error } = use(Context);
  return (
    <Marked name={name}>
      <Field name={name} label={label} hint={hint} error={error} required={required}>
        {children}
      </Field>
    </Marked>
  );
}

/** Marks the elements of a field of the record. */
export function Marked({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}) {
  const t = useTexts(common).draft;
  const { changes, overtaken } = use(Context);
  return (
    <div className="marked" data-changed={name in changes ? '' : undefined}>
      {children}
      {overtaken.includes(name) && <p className="overtaken">{t.overtaken}</p>}
    </div>
  );
}
