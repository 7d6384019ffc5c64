import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BulkItem, useBulk } from '../context/bulk.ts';
import { catalogue, plural, useLocale, useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorView } from './error-view.tsx';

const texts = catalogue({
  en: {
    left: (n: number) => `${plural(n, 'call is', 'calls are')} left of what was begun.`,
    going: 'Leave this open. If the page is closed, it goes on when you come back.',
    reading: 'Reading which they are…',
    done: (done: string, all: string) => `${done} of ${all} done`,
    failed: (n: number) => `${n.toLocaleString('en-GB')} not done:`,
    goOn: 'Go on',
    stop: 'Stop',
    close: 'Done',
    leave: 'Leave the rest',
  },
  id: {
    left: (n: number) => `Masih ada ${n} dari yang sudah dimulai.`,
    going: 'Biarkan ini terbuka. Jika halaman ditutup, ini berlanjut saat Anda kembali.',
    reading: 'Membaca yang mana saja…',
    done: (done: string, all: string) => `${done} dari ${all} selesai`,
    failed: (n: number) => `${n} tidak berhasil:`,
    goOn: 'Lanjutkan',
    stop: 'Hentikan',
    close: 'Selesai',
    leave: 'Tinggalkan sisanya',
  },
});

interface BulkButtonProps {
  /** Its name, of no other. */
  readonly name: string;
  /** Written on the buttons, with how many there are. */
  readonly verb: string;
  /** The effects on each. */
  readonly text: string;
  readonly isFinal?: boolean;
  /** False where nothing matches; what was begun is shown all the same. */
  readonly isOffered: boolean;
  /** Reads the records that match. */
  readonly read: () => AsyncIterable<BulkItem>;
  readonly run: (id: number, idempotencyKey: string) => Promise<unknown>;
  /** The resources that it changes. */
  readonly of: readonly string[];
}

/** Does one thing to all records that match: says what follows, how far it is, and what became of each. */
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
  const look = isFinal ? 'danger' : 'primary';
  return (
    <>
      {(isOffered || job) && (
        <Button onClick={() => setOpen(true)}>{isOffered ? verb : t.left(left)}</Button>
      )}
      {isOpen && (
        <Dialog title={verb} text={job || isRunning ? t.going : text} onClose={onClose}>
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
              <Button look={look} busy={isRunning} onClick={() => void bulk.start(read)}>
                {verb}
              </Button>
            )}
            {job && left > 0 && !isRunning && (
              <Button look={look} onClick={bulk.goOn}>
                {t.goOn}
              </Button>
            )}
            {job && left === 0 && !isRunning && (
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

/** Shows how far a bulk is, and why some were not done. */
function Progress({ job: { items, results } }: ProgressProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const count = Object.keys(results).length;
  const failed = items.flatMap((item) => {
    const why = results[item.id];
    return typeof why === 'string' ? [{ ...item, why }] : [];
  });
  return (
    <>
      <p role="status">
        {t.done(count.toLocaleString(locale), items.length.toLocaleString(locale))}
      </p>
      <progress value={count} max={Math.max(1, items.length)} />
      {failed.length > 0 && (
        <>
          <p>{t.failed(failed.length)}</p>
          <ul className="entries bulk-failed">
            {failed.map(({ id, name, why }) => (
              <li key={id}>
                <span className="entry-what">{name}</span>
                <span className="faint">{why}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
