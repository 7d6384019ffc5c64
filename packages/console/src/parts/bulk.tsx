import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BulkItem, useBulk } from '../context/bulk.ts';
import { catalogue, plural, useLocale, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorView } from './error-view.tsx';

const texts = catalogue({
  en: {
    left: (n: number) => `The last run has ${plural(n, 'call', 'calls')} left.`,
    ended: (n: number) => `The last run made ${plural(n, 'call', 'calls')}.`,
    going: 'Keep this page open. If you close it, the action continues when you come back.',
    reading: 'Finding the records…',
    done: (done: string, all: string) => `${done} of ${all} done`,
    failed: (n: number) => `${n.toLocaleString('en-GB')} refused`,
    well: 'Done',
    progress: 'Progress',
    goOn: 'Continue',
    stop: 'Stop',
    close: 'Done',
    leave: 'Skip the rest',
  },
  id: {
    left: (n: number) => `Masih ada ${n} dari yang sudah dimulai.`,
    ended: (n: number) => `Yang terakhir: ${n} sudah dijalankan.`,
    going: 'Biarkan ini terbuka. Jika halaman ditutup, ini berlanjut saat Anda kembali.',
    reading: 'Membaca yang mana saja…',
    done: (done: string, all: string) => `${done} dari ${all} selesai`,
    failed: (n: number) => `${n} ditolak`,
    well: 'Selesai',
    progress: 'Sejauh mana',
    goOn: 'Lanjutkan',
    stop: 'Hentikan',
    close: 'Selesai',
    leave: 'Tinggalkan sisanya',
  },
});

interface BulkButtonProps {
  /** A unique name. */
  readonly name: string;
  /** The label of the buttons, with the number of records. */
  readonly verb: string;
  /** The consequences for each record. */
  readonly text: string;
  readonly isFinal?: boolean;
  /** False if no record matches. An action that has started stays on the page anyway. */
  readonly isOffered: boolean;
  readonly read: () => AsyncIterable<BulkItem>;
  readonly run: (id: number, idempotencyKey: string) => Promise<unknown>;
  /** The resources that it changes. */
  readonly of: readonly string[];
}

export function BulkButton(props: BulkButtonProps) {
  const { name, verb, text, isFinal = false, isOffered, read, run, of } = props;
  const t = useTexts(texts);
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const bulk = useBulk(name, run, () => {
    for (const key of [...of, 'overview']) void client.invalidateQueries({ queryKey: [key] });
  });
  const { job, isRunning, error } = bulk;
  const left = job ? job.items.length - Object.keys(job.results).length : 0;
  const onClose = () => {
    bulk.stop();
    setOpen(false);
    if (job && left === 0) bulk.forget();
  };
  const isDone = job !== undefined && left === 0 && !isRunning;
  const label = isOffered ? verb : left > 0 ? t.left(left) : t.ended(job?.items.length ?? 0);
  const look = isFinal ? 'danger' : 'primary';
  return (
    <>
      {(isOffered || job) && <Button onClick={() => setOpen(true)}>{label}</Button>}
      {isOpen && (
        <Dialog
          title={isDone ? t.ended(job.items.length) : (job?.verb ?? verb)}
          text={isDone ? undefined : job || isRunning ? t.going : text}
          onClose={onClose}
        >
          {error && <ErrorView error={error} />}
          {job ? <Progress job={job} /> : isRunning && <p role="status">{t.reading}</p>}
          <div className="form-actions">
            {job && left > 0 && !isRunning && (
              <Button
                onClick={() => {
                  bulk.forget();
                  setOpen(false);
                }}
              >
                {t.leave}
              </Button>
            )}
            {isRunning && <Button onClick={bulk.stop}>{t.stop}</Button>}
            {!job && (
              <Button look={look} busy={isRunning} onClick={() => void bulk.start(verb, read)}>
                {verb}
              </Button>
            )}
            {job && left > 0 && !isRunning && (
              <Button look={look} onClick={bulk.goOn}>
                {t.goOn}
              </Button>
            )}
            {isDone && (
              <Button look="primary" onClick={onClose}>
                {t.close}
              </Button>
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}

interface ProgressProps {
  readonly job: NonNullable<ReturnType<typeof useBulk>['job']>;
}

function Progress({ job: { items, results } }: ProgressProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const count = Object.keys(results).length;
  const rows = items
    .filter(({ id }) => id in results)
    .map((item) => ({ ...item, why: results[item.id] ?? null }))
    .sort((a, b) => Number(a.why === null) - Number(b.why === null));
  const failed = rows.filter(({ why }) => why !== null).length;
  return (
    <>
      <p role="status">
        {t.done(count.toLocaleString(locale), items.length.toLocaleString(locale))}
        {failed > 0 && ` · ${t.failed(failed)}`}
      </p>
      <progress value={count} max={Math.max(1, items.length)} aria-label={t.progress} />
      <ul className="entries bulk-rows" tabIndex={0}>
        {rows.map(({ id, name, why }) => (
          <li key={id}>
            <span className="entry-what">{name}</span>
            <span className={why === null ? 'faint' : 'complaint'}>{why ?? t.well}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
