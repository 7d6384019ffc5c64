import { dumpCommands } from '../dump-commands.ts';
import { eddImporter } from '../edd/index.ts';
import type { Importer } from '../importer.ts';
import { sejoliImporter } from '../sejoli/index.ts';
import type { Source } from '../source.ts';
import { woocommerceImporter } from '../woocommerce/index.ts';
import { answersOf } from './answers.ts';
import { importFiles } from './files.ts';
import { forgetShop, importShop } from './shop.ts';
import { importStore } from '../../../../src/exports/database.ts';
import { UsageError, command, refuseOthers } from '../../../../src/exports/command.ts';

const importers = [
  sejoliImporter,
  woocommerceImporter,
  eddImporter,
] as readonly unknown[] as readonly Importer<Source>[];

const kinds = importers.map(({ source }) => source.name);

const usage = `npm run import -- ${kinds.join('|')} shop.sql[.gz] [--write]
npm run import -- store FOLDER [--write]
npm run import -- files

Imports a shop from a dump of its database, or with SOURCE_URL=mysql://user:password@host:3306/database from the
database itself; or a store from the folder that \`npm run export -- FOLDER\` wrote. Without --write it is a rehearsal in a
temporary PostgreSQL; with it, the rows go into the empty database behind DATABASE_URL (a direct connection).

\`files\` downloads the files of imported products from the shop, and uploads them to the store at API (its
\`api_base\`). KEY is an API key with the scopes files:read and files:write.

After an interruption, run the command again: it continues with the answers that it began with, and refuses others.
Only --prefix has to be given again.

  --prefix wp_     the shop's table prefix, if the dump has several shops
  --accept-owed    counts money without a place in the store (owed.csv) as settled
  --tables         prints commands that dump only the tables that are read
  --forget         deletes the shop's staged data and reports
${importers.map(({ source, options }) => `\n${source.name}:\n${optionLines(options)}`).join('\n')}`;

function optionLines(options: Readonly<Record<string, string>>): string {
  return Object.entries(options)
    .map(([name, says]) => `  --${name.padEnd(15)}${says}`)
    .join('\n');
}

const switches = {
  write: { type: 'boolean' },
  'accept-owed': { type: 'boolean' },
  tables: { type: 'boolean' },
  forget: { type: 'boolean' },
  prefix: { type: 'string' },
} as const;

const text = { type: 'string' } as const;
const answers: Readonly<Record<string, typeof text>> = Object.fromEntries(
  importers.flatMap(({ options }) => Object.keys(options)).map((name) => [name, text]),
);

const declaration = {
  usage,
  options: { ...answers, ...switches },
  words: ['KIND', '[DUMP]'],
} as const;

await command(declaration, async ({ words: [kind = '', path], values }) => {
  if (kind === 'files') {
    refuseOthers('import files', values, []);
    return importFiles();
  }
  if (kind === 'store') {
    refuseOthers('import store', values, ['write']);
    if (path === undefined) throw new UsageError('FOLDER is missing.');
    return importStore(path, values.write ?? false);
  }
  const importer = importers.find(({ source }) => source.name === kind);
  if (!importer) throw new UsageError(`There is nothing to import from ${kind}.`);
  const names = Object.keys(importer.options);
  refuseOthers(`import ${kind}`, values, [...Object.keys(switches), ...names]);
  if (values.tables) {
    console.log(dumpCommands(importer.source, values.prefix).join('\n\n'));
    return 0;
  }
  const given: Readonly<Record<string, unknown>> = values;
  const options = {
    path,
    prefix: values.prefix,
    isWritten: values.write ?? false,
    acceptsOwed: values['accept-owed'] ?? false,
    answers: answersOf(
      Object.fromEntries(names.map((name) => [name, given[name] as string | undefined])),
    ),
  };
  if (!values.forget) return importShop(importer, options);
  await forgetShop(importer.source, options);
  return 0;
});
