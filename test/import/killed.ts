import { dumpFile } from '../../src/local/import/dump-file.ts';
import { sejoli } from '../../src/local/import/sejoli/source.ts';
import { stage } from '../../src/local/import/staging.ts';

/** Stages a dump, and is killed when all of its bytes have been read. */
const [path = '', folder = ''] = process.argv.slice(2);
await stage(sejoli, dumpFile(path), {
  folder,
  progress(step, read, total) {
    if (step === 'rows' && read === total) process.kill(process.pid, 'SIGKILL');
  },
});
