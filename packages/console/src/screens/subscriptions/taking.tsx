import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import type { StoreSubscriptionWithChain } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

export interface Part {
  readonly subscription: StoreSubscriptionWithChain;
}

export interface ActionProps extends Part {
  readonly onDone: () => void;
}

interface EffectsProps {
  readonly children: readonly ReactNode[];
}

/** The effects of an action, line by line, without empty ones. */
export function Effects({ children }: EffectsProps) {
  const t = useTexts(texts);
  const lines = children.filter((line) => line !== undefined && line !== '' && line !== false);
  return (
    <>
      <p className="small faint">{t.follows}</p>
      <ul className="follows">
        {lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
    </>
  );
}

interface TakenProps extends ActionProps {
  readonly take: () => Promise<unknown>;
  readonly verb: string;
  readonly done: string;
  readonly look?: 'danger';
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

/** An action with its fields and effects; the subscription is read again afterwards. */
export function Taken({ take, verb, done, look, disabled, onDone, children }: TakenProps) {
  const client = useQueryClient();
  const toast = useToast();
  const action = useMutation({
    mutationFn: take,
    onSuccess: () => {
      toast(done);
      onDone();
      for (const name of ['subscriptions', 'orders', 'overview', 'users']) {
        void client.invalidateQueries({ queryKey: [name] });
      }
    },
  });
  return (
    <ActionForm
      className="action"
      action={action}
      verb={verb}
      {...(look && { look })}
      disabled={disabled ?? false}
      onSubmit={() => action.mutate()}
      onCancel={onDone}
    >
      {children}
    </ActionForm>
  );
}
