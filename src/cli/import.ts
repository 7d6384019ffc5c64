import { parseArgs } from 'node:util';
import { dumpCommands } from '../local/import/dump-commands.ts';
import { eddImporter } from '../local/import/edd/index.ts';
import type { Importer } from '../local/import/mapped.ts';
import { sejoliImporter } from '../local/import/sejoli/index.ts';
import type { Source } from '../local/import/source.ts';
import { woocommerceImporter } from '../local/import/woocommerce/index.ts';
import { answersOf } from './imports/answers.ts';
import { forgetShop, importShop } from './imports/shop.ts';
import { importStore } from './imports/store.ts';
import { command } from './support/command.ts';

/** The kinds of shops that can be moved in. */
const importers = [
  sejoliImporter,
  woocommerceImporter,
  eddImporter,
] as readonly unknown[] as readonly Importer<Source>[];

const kinds = importers.map(({ source }) => source.name);

const usage = `npm run import -- ${kinds.join('|')} shop.sql[.gz] [--write]
npm run import -- store FOLDER [--write]

Moves in a shop from a dump of its database, or with SOURCE_URL=mysql://user:password@host:3306/database from the
database itself; or a store from what \`npm run export -- FOLDER\` wrote. Without --write it goes into a PostgreSQL
that is thrown away, as a rehearsal; with it, into the empty database behind DATABASE_URL (a direct connection). What
was broken off goes on when it is run again.

  --prefix wp_     the shop's table prefix, where the dump has several shops
  --accept-owed    money without a place in the store (owed.csv) is settled
  --tables         prints how to dump the tables that are read, and no others
  --forget         deletes what was staged of the shop, and its reports
${importers.map(({ source, options }) => `\n${source.name}:\n${optionLines(options)}`).join('\n')}`;

function optionLines(options: Readonly<Record<string, string>>): string {
  return Object.entries(options)
    .map(([name, says]) => `  --${name.padEnd(15)}${says}`)
    .join('\n');
}

const switches = {
  write: { type: 'boolean', default: false },
  'accept-owed': { type: 'boolean', default: false },
  tables: { type: 'boolean', default: false },
  forget: { type: 'boolean', default: false },
  prefix: { type: 'string' },
} as const;

await command(async () => {
  const [kind, ...rest] = process.argv.slice(2);
  const importer = importers.find(({ source }) => source.name === kind);
  const names = Object.keys(importer?.options ?? {});
  const { positionals, values } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: {
      ...switches,
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
    },
  });
  const [path, ...more] = positionals;
  if (more.length > 0 || (!importer && (kind !== 'store' || path === undefined))) {
    console.error(usage);
    return 1;
  }
  if (!importer) return importStore(path ?? '', values.write);
  if (values.tables) {
    console.log(dumpCommands(importer.source, values.prefix).join('\n\n'));
    return 0;
  }
  const given: Readonly<Record<string, unknown>> = values;
  const options = {
    path,
    prefix: values.prefix,
    isWritten: values.write,
    acceptsOwed: values['accept-owed'],
    answers: answersOf(
      Object.fromEntries(names.map((name) => [name, given[name] as string | undefined])),
    ),
  };
  if (!values.forget) return importShop(importer, options);
  await forgetShop(importer.source, options);
  return 0;
});
