import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../context/session.ts';
import { catalogue, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Choice } from './choice.tsx';
import { useToast } from './toasts.tsx';

const texts = catalogue({
  en: {
    columns: 'Columns',
    file: 'Spreadsheet',
    failed: 'The file could not be made. Narrow the filters and try again.',
  },
  id: {
    columns: 'Kolom',
    file: 'Lembar kerja',
    failed: 'Berkasnya tidak dapat dibuat. Persempit saringan, lalu coba lagi.',
  },
});

/** The list behind a table, for the service's CSV file. */
export interface ListSource {
  /** Its path after `api_base`: `/orders`. */
  readonly path: string;
  /** Its filters, without the page: a file has all rows. */
  readonly query: object;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The hidden columns of a list, stored in this browser. */
export function useHidden(
  path: string,
): readonly [readonly string[], (ids: readonly string[]) => void] {
  const key = `columns:${useSession().user.id}:${path}`;
  const [hidden, setHidden] = useState<readonly string[]>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '[]') as string[];
    } catch {
      return [];
    }
  });
  const hide = (ids: readonly string[]) => {
    setHidden(ids);
    try {
      localStorage.setItem(key, JSON.stringify(ids));
    } catch {
      // The storage is unavailable: the choice lasts until the page is closed.
    }
  };
  return [hidden, hide];
}

interface TableToolsProps {
  readonly source: ListSource;
  readonly columns: readonly Named[];
  readonly hidden: readonly string[];
  readonly onHide: (ids: readonly string[]) => void;
}

/** The tools of a list: the choice of columns, and a spreadsheet of all matching rows. */
export function TableTools({ source, columns, hidden, onHide }: TableToolsProps) {
  const t = useTexts(texts);
  const toast = useToast();
  const file = useMutation({
    mutationFn: () => saveFile(source),
    onError: () => toast(t.failed),
  });
  return (
    <div className="table-tools">
      <details className="columns">
        <summary>{t.columns}</summary>
        <div className="columns-list">
          {columns.map(({ id, name }) => (
            <Choice
              key={id}
              name={name}
              checked={!hidden.includes(id)}
              onChange={(isShown) =>
                onHide(isShown ? hidden.filter((each) => each !== id) : [...hidden, id])
              }
            />
          ))}
        </div>
      </details>
      <Button look="quiet" busy={file.isPending} onClick={() => file.mutate()}>
        {t.file}
      </Button>
    </div>
  );
}

/** Downloads the file of a list, with the byte-order mark by which Excel recognises UTF-8. */
async function saveFile({ path, query }: ListSource): Promise<void> {
  const { cursor: _, ...filters } = query as Record<string, unknown>;
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const reply = await fetch(`/console/api/v1${path}.csv?${search}`, {
    headers: { 'x-console': '1' },
  });
  if (!reply.ok) throw new Error(reply.statusText);
  saveText(`${path.slice(1).replaceAll('/', '-')}.csv`, await reply.text());
}

/** Downloads a text as a CSV file. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
