/** A value of a row: NULL, a text, or a number as it is written. */
export type Cell = null | string | { number: string };

export interface Table {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** The dialect of a tool that writes dumps. */
export interface Dialect {
  name: string;
  write: (tables: readonly Table[]) => string;
  /** The last line, which shows that the dump is complete. */
  mark: string;
}

export const textOf = (cell: Cell): string | null =>
  cell === null || typeof cell === 'string'
    ? (cell?.replaceAll('\0', '\uFFFD') ?? null)
    : cell.number;

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\u001A': '\\Z',
  "'": "\\'",
  '"': '\\"',
  '\\': '\\\\',
};

/** Escapes texts like the servers' own function, which mysqldump and mariadb-dump call. */
const escaped = (text: string) =>
  `'${Array.from(text, (character) => escapes[character] ?? character).join('')}'`;

/** Escapes texts like tools that only know standard SQL: quotes are doubled, line breaks stay. */
const doubled = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** Writes texts as with `--hex-blob`, where a text is never empty. */
const hexadecimal = (text: string) =>
  text === '' ? "''" : `0x${Buffer.from(text).toString('hex')}`;

const row = (cells: readonly Cell[], text: (text: string) => string, comma = ',') =>
  `(${cells
    .map((cell) => (cell === null ? 'NULL' : typeof cell === 'string' ? text(cell) : cell.number))
    .join(comma)})`;

const shape = ({ name, columns }: Table, tail: string) =>
  `CREATE TABLE ${quoted(name)} (
${columns.map((column) => `  ${quoted(column)} varchar(20) DEFAULT 'a),(\\'b;' COMMENT 'KEY (it''s)',`).join('\n')}
  PRIMARY KEY (${quoted(columns[0] ?? '')}),
  KEY \`first, or (last)\` (${columns.map((column) => `${quoted(column)}(10)`).join(',')})
) ENGINE=InnoDB ${tail};
`;

const kept = (names: readonly string[]) =>
  names.map((name) => `/*!40101 SET @OLD_${name}=@@${name} */;\n`).join('');

const givenBack = (names: readonly string[]) =>
  names.map((name) => `/*!40101 SET ${name}=@OLD_${name} */;\n`).join('');

const variables = ['CHARACTER_SET_CLIENT', 'CHARACTER_SET_RESULTS', 'COLLATION_CONNECTION'];

const farewell = '/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */';

const trigger = `DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`localhost\`*/ /*!50003 TRIGGER \`it's\` AFTER INSERT ON \`a\`
FOR EACH ROW BEGIN INSERT INTO b VALUES ('don''t'); END */;;
DELIMITER ;
`;

const locked = ({ name }: Table, inserts: string) => `LOCK TABLES ${quoted(name)} WRITE;
/*!40000 ALTER TABLE ${quoted(name)} DISABLE KEYS */;
${inserts}/*!40000 ALTER TABLE ${quoted(name)} ENABLE KEYS */;
UNLOCK TABLES;
`;

const inserts = (
  table: Table,
  most: number,
  head: string,
  body: (rows: Table['rows']) => string,
) => {
  const statements = [];
  for (let at = 0; at < table.rows.length; at += most)
    statements.push(`${head} VALUES${body(table.rows.slice(at, at + most))};\n`);
  return statements.join('');
};

const mysqldump: Dialect = {
  name: 'mysqldump 8',
  mark: farewell,
  write: (tables) => `-- MySQL dump 10.13  Distrib 8.0.40, for Linux (x86_64)
--
-- Host: localhost    Database: it's a shop
-- ------------------------------------------------------
${kept(variables)}/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;

${tables
  .map(
    (table) => `DROP TABLE IF EXISTS ${quoted(table.name)};
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
${shape(table, 'DEFAULT CHARSET=latin1')}/*!40101 SET character_set_client = @saved_cs_client */;
${locked(
  table,
  inserts(
    table,
    100,
    `INSERT INTO ${quoted(table.name)}`,
    (rows) => ` ${rows.map((cells) => row(cells, escaped)).join(',')}`,
  ),
)}`,
  )
  .join('\n')}${trigger}${givenBack(variables)}/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-03-10  9:00:00
`,
};

const mariadbDump: Dialect = {
  name: 'mariadb-dump',
  mark: farewell,
  write: (tables) => `/*M!999999\\- enable the sandbox mode */ 
-- MariaDB dump 10.19-11.4.2-MariaDB, for debian-linux-gnu (x86_64)
/*M!100616 SET @OLD_NOTE_VERBOSITY=@@NOTE_VERBOSITY, NOTE_VERBOSITY=0 */;
${kept(variables)}/*!40101 SET NAMES utf8mb4 */;

${tables
  .map(
    (table) => `DROP TABLE IF EXISTS ${quoted(table.name)};
${shape(table, 'DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci')}
${locked(
  table,
  inserts(
    table,
    3,
    `INSERT  IGNORE INTO ${quoted(table.name)}`,
    (rows) => `\n${rows.map((cells) => row(cells, escaped)).join(',\n')}`,
  ),
)}`,
  )
  .join('\n')}${trigger}${givenBack(variables)}/*M!100616 SET NOTE_VERBOSITY=@OLD_NOTE_VERBOSITY */;

-- Dump completed on 2026-03-10  9:00:00
`,
};

const phpMyAdmin: Dialect = {
  name: 'phpMyAdmin',
  mark: farewell,
  write: (tables) => `-- phpMyAdmin SQL Dump
-- version 5.2.1
-- https://www.phpmyadmin.net/

SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
START TRANSACTION;
SET time_zone = "+00:00";

${kept(variables)}/*!40101 SET NAMES utf8mb4 */;

${tables
  .map(
    (table) => `-- --------------------------------------------------------
--
-- Table structure for table ${quoted(table.name)}: it's one
--
${shape(table, 'DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci')}
${inserts(
  table,
  5,
  `INSERT INTO ${quoted(table.name)} (${table.columns.map(quoted).join(', ')})`,
  (rows) => `\n${rows.map((cells) => row(cells, escaped, ', ')).join(',\n')}`,
)}
--
-- Indexes for table
--
ALTER TABLE ${quoted(table.name)} ADD KEY \`it's; a key\` (${quoted(table.columns[0] ?? '')});
`,
  )
  .join('\n')}COMMIT;

${givenBack(variables)}`,
};

const wpDbExport: Dialect = {
  name: 'wp db export',
  mark: farewell,
  write: (tables) => `-- MySQL dump 10.13  Distrib 5.7.44, for Linux (x86_64)
${kept(variables)}/*!40101 SET NAMES utf8 */;

${tables
  .map(
    (table) => `/*!40101 SET character_set_client = utf8 */;
${shape(table, 'DEFAULT CHARSET=utf8 COLLATE=utf8_unicode_ci')}
${locked(
  table,
  inserts(
    // In reverse order, as in an altered table.
    { ...table, rows: table.rows.map((cells) => cells.toReversed()) },
    2,
    `REPLACE INTO ${quoted(table.name)} (${table.columns.toReversed().map(quoted).join(',')})`,
    (rows) => ` ${rows.map((cells) => row(cells, hexadecimal)).join(',')}`,
  ),
)}`,
  )
  .join('\n')}${givenBack(variables)}
-- Dump completed`,
};

const oneByOne: Dialect = {
  name: 'one row an INSERT',
  mark: '-- Dump completed',
  write: (tables) => `# Made by hand
SET NAMES 'utf8mb4' COLLATE 'utf8mb4_unicode_ci';
${tables
  .map(
    (table) =>
      `${shape(table, '')}${inserts(table, 1, `insert into ${quoted(table.name)}`, (rows) =>
        rows.map((cells) => row(cells, doubled, ' ,\t')).join(),
      )}`,
  )
  .join("/* it's; */")}-- Dump completed
`,
};

export const dialects: readonly Dialect[] = [
  mysqldump,
  mariadbDump,
  phpMyAdmin,
  wpDbExport,
  oneByOne,
];
