import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/src/errors.ts';

interface SaveRecord<R, C> {
  readonly write: (changes: C) => Promise<R>;
  readonly onSaved: (saved: R, changes: C) => void;
}

/**
 * Saves changes over the shown version of a record. If somebody else has changed it, the record is read again.
 * @param name the resource, with which its query keys begin
 */
export function useSaveRecord<R extends { readonly id: number }, C>(
  name: string,
  { id }: Pick<R, 'id'>,
  { write, onSaved }: SaveRecord<R, C>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: (saved, changes) => {
      client.setQueryData([name, id], saved);
      for (const queryKey of [[name, 'list'], ['overview']]) {
        void client.invalidateQueries({ queryKey });
      }
      onSaved(saved, changes);
    },
    onError: (error) => {
      const isOvertaken = error instanceof ApiError && error.code === 'rest_conflict';
      if (isOvertaken) void client.invalidateQueries({ queryKey: [name, id] });
    },
  });
}
