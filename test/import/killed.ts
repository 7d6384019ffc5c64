import { dumpFile } from '../../packages/import/src/dump-file.ts';
import { sejoli } from '../../packages/import/src/sejoli/source.ts';
import { stage } from '../../packages/import/src/staging.ts';

/** Stages a dump, and is killed once all of its bytes were read. */
const [path = '', folder = ''] = process.argv.slice(2);
await stage(sejoli, dumpFile(path), {
  folder,
  progress(step, read, total) {
    if (step === 'rows' && read === total) process.kill(process.pid, 'SIGKILL');
  },
});
