import { closeSync, openSync, writeSync } from 'node:fs';
import { dialects } from './dump-writer.ts';
import { randomShop } from './sejoli/random.ts';

/** Writes the dump of a shop of that many orders in pieces, because a string can't hold it. */
const [size = '', path = ''] = process.argv.slice(2);
const [mysqldump] = dialects;
const write = mysqldump?.write ?? (() => '');

const rowsAtATime = 10_000;

const tables = randomShop(Number(size));
const [head = '', tail = ''] = write(tables.map((table) => ({ ...table, rows: [] }))).split(
  /(?=DELIMITER ;;)/,
);
const file = openSync(path, 'w');
writeSync(file, head);
for (const table of tables)
  for (let at = 0; at < table.rows.length; at += rowsAtATime)
    for (const line of write([{ ...table, rows: table.rows.slice(at, at + rowsAtATime) }]).split(
      '\n',
    ))
      if (line.startsWith('INSERT INTO `wp_')) writeSync(file, `${line}\n`);
writeSync(file, tail);
closeSync(file);
