import type { AlterTableCmd, ColumnDef, Constraint, Node } from '@pgsql/types';
import { parse } from 'libpg-query';
import type { Migration } from './files.ts';

/**
 * Refuses statements that would lock a table of a store for as long as its rows take, or take away what the worker
 * deployed before still uses. Tables that the same file creates are empty, so they are exempt.
 * @returns the reason for each such statement
 */
export async function findLocks({ statements, isByStatement }: Migration): Promise<string[]> {
  const { stmts = [] } = await parse(statements.join(';\n'));
  const nodes = stmts.flatMap(({ stmt }) => (stmt ? [stmt] : []));
  const created = new Set(
    nodes.flatMap((node) => ('CreateStmt' in node ? [node.CreateStmt.relation?.relname] : [])),
  );
  const check = isByStatement ? repeatableReasons : reasonsIn;
  return nodes.flatMap((node) => (created.has(tableOf(node)) ? [] : check(node)));
}

function tableOf(node: Node): string | undefined {
  if ('AlterTableStmt' in node) return node.AlterTableStmt.relation?.relname;
  if ('IndexStmt' in node) return node.IndexStmt.relation?.relname;
  return undefined;
}

/** Statements that hold no lock beyond the moment they take. */
const momentary = ['CreateStmt', 'CreateTrigStmt', 'CreateSeqStmt', 'CommentStmt'];

function reasonsIn(node: Node): string[] {
  if ('AlterTableStmt' in node)
    return (node.AlterTableStmt.cmds ?? []).flatMap((cmd) =>
      'AlterTableCmd' in cmd ? alterReasons(cmd.AlterTableCmd) : [],
    );
  if ('IndexStmt' in node)
    return [
      `index ${node.IndexStmt.idxname} is built while writes wait: build it CONCURRENTLY, in a file that begins with "-- statement by statement"`,
    ];
  if ('CreateFunctionStmt' in node)
    return node.CreateFunctionStmt.replace
      ? ['a function is replaced: functions are changed in src/schema/sql']
      : [];
  const written = writtenTable(node);
  if (written === 'settings') return [];
  if (written !== undefined)
    return [`rows of ${written} are written in one transaction: do it in batches, as a backfill`];
  const [kind] = Object.keys(node);
  return momentary.includes(kind as string) ? [] : [`${kind} is not known to be safe`];
}

function writtenTable(node: Node): string | undefined {
  if ('InsertStmt' in node) return node.InsertStmt.relation?.relname;
  if ('UpdateStmt' in node) return node.UpdateStmt.relation?.relname;
  if ('DeleteStmt' in node) return node.DeleteStmt.relation?.relname;
  return undefined;
}

/** Changes of the catalogue alone. */
const catalogueOnly = [
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_DropConstraint',
  'AT_SetStatistics',
  'AT_SetRelOptions',
];

function alterReasons({ subtype, def, name }: AlterTableCmd): string[] {
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) return columnReasons(def.ColumnDef);
  if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def)
    return constraintReasons(def.Constraint);
  if (catalogueOnly.includes(subtype as string)) return [];
  const of = name ? ` of ${name}` : '';
  return [
    `${subtype}${of} rewrites or scans the table, or takes away what the worker before still uses`,
  ];
}

function columnReasons({ colname, constraints = [] }: ColumnDef): string[] {
  const all = constraints.flatMap((one) => ('Constraint' in one ? [one.Constraint] : []));
  const byDefault = all.find(({ contype }) => contype === 'CONSTR_DEFAULT');
  return all.flatMap(({ contype }) => {
    if (contype === 'CONSTR_NOTNULL')
      return byDefault ? [] : [`column ${colname} is NOT NULL without a default`];
    if (contype === 'CONSTR_DEFAULT')
      return isConstant(byDefault?.raw_expr)
        ? []
        : [`column ${colname} has a default that is computed for each row`];
    if (contype === 'CONSTR_FOREIGN' || contype === 'CONSTR_NULL') return [];
    return [`column ${colname} comes with ${contype}, which scans or rewrites the table`];
  });
}

function isConstant(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if ('TypeCast' in node) return isConstant(node.TypeCast.arg);
  return 'A_Const' in node;
}

function constraintReasons({ contype, conname, skip_validation, indexname }: Constraint): string[] {
  if (skip_validation || indexname) return [];
  return [
    contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN'
      ? `constraint ${conname} checks every row under a lock: add it NOT VALID, and it is validated afterwards`
      : `constraint ${conname} builds an index under a lock: build that first, then ADD CONSTRAINT … USING INDEX`,
  ];
}

function repeatableReasons(node: Node): string[] {
  const isRepeatable =
    ('IndexStmt' in node && node.IndexStmt.concurrent && node.IndexStmt.if_not_exists) ||
    ('DropStmt' in node && node.DropStmt.concurrent && node.DropStmt.missing_ok);
  return isRepeatable
    ? []
    : [
        'a file that commits each statement has CREATE INDEX CONCURRENTLY IF NOT EXISTS and DROP INDEX CONCURRENTLY IF EXISTS only',
      ];
}
