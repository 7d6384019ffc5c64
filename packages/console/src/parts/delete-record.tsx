import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';
import { ActionForm } from './action-form.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useToast } from './toasts.tsx';

interface DeleteRecordProps {
  readonly name: string;
  readonly text: ReactNode;
  /** `Delete` by default. */
  readonly verb?: string;
  /** The text of the toast afterwards. */
  readonly done: string;
  /** The resource, with which its query keys begin. */
  readonly of: string;
  readonly remove: () => Promise<unknown>;
  /** Leaves the page of the deleted record. */
  readonly onGone: () => void;
}

export function DeleteRecord({ name, text, verb, done, of, remove, onGone }: DeleteRecordProps) {
  const { actions: t } = useTexts(common);
  const client = useQueryClient();
  const toast = useToast();
  const [isAsked, setAsked] = useState(false);
  const deletion = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      toast(done);
      onGone();
      void client.invalidateQueries({ queryKey: [of, 'list'] });
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        {verb ?? t.delete}
      </Button>
      {isAsked && (
        <Dialog title={name} text={text} onClose={() => setAsked(false)}>
          <ActionForm
            action={deletion}
            verb={verb ?? t.delete}
            look="danger"
            onSubmit={() => deletion.mutate()}
            onCancel={() => setAsked(false)}
          />
        </Dialog>
      )}
    </>
  );
}
