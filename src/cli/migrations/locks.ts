import type { AlterTableCmd, ColumnDef, Constraint, Node, RangeVar } from '@pgsql/types';
import { parse } from 'libpg-query';
import type { Migration } from './files.ts';

/**
 * Finds statements that lock a table for longer the more rows it has, or remove something that the previous worker
 * uses. Tables created in the same file are empty, and exempt.
 * @returns a reason for each such statement
 */
export async function findLocks({ statements, isByStatement }: Migration): Promise<string[]> {
  const { stmts = [] } = await parse(statements.join(';\n'));
  const nodes = stmts.flatMap(({ stmt }) => (stmt ? [stmt] : []));
  if (isByStatement) return nodes.flatMap(repeatableReasons);
  const created = new Set(nodes.flatMap((node) => nameOf(createdTable(node)) ?? []));
  const nullable = new Set(nodes.flatMap(madeNullable));
  return nodes.flatMap((node) =>
    created.has(nameOf(alteredTable(node)) ?? '') ? [] : reasonsIn(node, nullable),
  );
}

/** Returns the table that a statement creates. With IF NOT EXISTS it may have rows. */
function createdTable(node: Node): RangeVar | undefined {
  if (!('CreateStmt' in node) || node.CreateStmt.if_not_exists) return undefined;
  const { relation } = node.CreateStmt;
  return relation?.relpersistence === 't' ? undefined : relation;
}

function alteredTable(node: Node): RangeVar | undefined {
  if ('AlterTableStmt' in node) return node.AlterTableStmt.relation;
  if ('IndexStmt' in node) return node.IndexStmt.relation;
  return undefined;
}

const nameOf = (table: RangeVar | undefined): string | undefined =>
  table && [table.schemaname, table.relname].filter(Boolean).join('.');

const commandsOf = (node: Node): AlterTableCmd[] =>
  'AlterTableStmt' in node
    ? (node.AlterTableStmt.cmds ?? []).flatMap((cmd) =>
        'AlterTableCmd' in cmd ? [cmd.AlterTableCmd] : [],
      )
    : [];

const columnOf = (node: Node, { name }: AlterTableCmd) => `${nameOf(alteredTable(node))}.${name}`;

const madeNullable = (node: Node): string[] =>
  commandsOf(node).flatMap((cmd) =>
    cmd.subtype === 'AT_DropNotNull' ? [columnOf(node, cmd)] : [],
  );

/** Statements that hold locks only for a moment. */
const momentary = [
  'CreateStmt',
  'CreateTrigStmt',
  'CreateSeqStmt',
  'CompositeTypeStmt',
  'CommentStmt',
];

function reasonsIn(node: Node, nullable: ReadonlySet<string>): string[] {
  if ('AlterTableStmt' in node)
    return commandsOf(node).flatMap((cmd) =>
      isDroppedDefault(cmd) && !nullable.has(columnOf(node, cmd))
        ? [`column ${cmd.name} loses the default that the previous worker relies on`]
        : alterReasons(cmd),
    );
  if ('CreateStmt' in node && node.CreateStmt.inhRelations)
    return [`table ${nameOf(node.CreateStmt.relation)} becomes a part of another, which is locked`];
  if ('IndexStmt' in node)
    return [
      `index ${node.IndexStmt.idxname} is built while writes wait: build it CONCURRENTLY, in a file that begins with "-- statement by statement"`,
    ];
  if ('CreateFunctionStmt' in node)
    return node.CreateFunctionStmt.replace
      ? ['a function is replaced: functions are changed in src/schema/sql']
      : [];
  const written = writtenTable(node);
  if (written !== undefined && small.includes(written)) return smallReasons(node);
  if (written !== undefined)
    return [`rows of ${written} are written in one transaction: do it in batches, as a backfill`];
  const [kind] = Object.keys(node);
  return momentary.includes(kind as string) ? [] : [`${kind} is not known to be safe`];
}

function writtenTable(node: Node): string | undefined {
  if ('InsertStmt' in node) return node.InsertStmt.relation?.relname;
  if ('UpdateStmt' in node) return node.UpdateStmt.relation?.relname;
  return undefined;
}

/** Tables with so few rows that reading them takes no time. */
const small = ['settings', 'staff_roles', 'api_keys', 'stored_functions'];

/** Finds slow statements on small tables: function calls, and rows of other tables. */
function smallReasons(node: Node): string[] {
  const { tables, calls } = namesIn(node);
  const others = tables.filter((table) => !small.includes(table));
  return [
    ...others.map(
      (table) => `rows of a small table are written in a statement that reads ${table}`,
    ),
    ...(calls ? ['rows of a small table are written by a function that may do anything'] : []),
  ];
}

function namesIn(node: Node): { tables: string[]; calls: boolean } {
  const tables: string[] = [];
  let calls = false;
  JSON.stringify(node, (key, value: unknown) => {
    if (key === 'relname') tables.push(value as string);
    if (key === 'FuncCall' || key === 'CallStmt') calls = true;
    return value;
  });
  return { tables, calls };
}

const isDroppedDefault = ({ subtype, def }: AlterTableCmd) =>
  subtype === 'AT_ColumnDefault' && def === undefined;

const catalogueOnly = [
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_DropConstraint',
  'AT_SetStatistics',
  'AT_SetRelOptions',
];

/** Names that drizzle and PostgreSQL give to keys. */
const keyName = /_(pkey|pk|unique|key)$/;

function alterReasons({ subtype, def, name, behavior }: AlterTableCmd): string[] {
  if (subtype === 'AT_DropConstraint' && (behavior === 'DROP_CASCADE' || keyName.test(name ?? '')))
    return [`constraint ${name} is needed by the previous worker, or its removal drops others`];
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) return columnReasons(def.ColumnDef);
  if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def)
    return constraintReasons(def.Constraint);
  if (catalogueOnly.includes(subtype as string)) return [];
  const of = name ? ` of ${name}` : '';
  return [
    `${subtype}${of} rewrites or scans the table, or removes what the previous worker still uses`,
  ];
}

/** Types that create a sequence, from which each row gets a value. */
const serial = /^(small|big)?serial[248]?$/;

function columnReasons({ colname, typeName, constraints = [] }: ColumnDef): string[] {
  const all = constraints.flatMap((one) => ('Constraint' in one ? [one.Constraint] : []));
  const byDefault = all.find(({ contype }) => contype === 'CONSTR_DEFAULT');
  const type = typeName?.names?.at(-1);
  if (type && 'String' in type && serial.test(type.String.sval ?? ''))
    return [`column ${colname} gets a number in each row`];
  return all.flatMap(({ contype }) => {
    if (contype === 'CONSTR_NOTNULL')
      return byDefault && !isNull(byDefault.raw_expr)
        ? []
        : [`column ${colname} is NOT NULL without a default`];
    if (contype === 'CONSTR_DEFAULT')
      return isConstant(byDefault?.raw_expr)
        ? []
        : [`column ${colname} has a default that is computed for each row`];
    if (contype === 'CONSTR_FOREIGN')
      return byDefault ? [`column ${colname} is looked up in each row, for it has a default`] : [];
    if (contype === 'CONSTR_NULL') return [];
    return [`column ${colname} comes with ${contype}, which scans or rewrites the table`];
  });
}

function isNull(node: Node | undefined): boolean {
  if (node && 'TypeCast' in node) return isNull(node.TypeCast.arg);
  return node !== undefined && 'A_Const' in node && node.A_Const.isnull === true;
}

function isConstant(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if ('TypeCast' in node) return isConstant(node.TypeCast.arg);
  return 'A_Const' in node;
}

function constraintReasons({ contype, conname, skip_validation, indexname }: Constraint): string[] {
  if (skip_validation)
    return conname ? [] : ['a constraint has no name, by which it could be validated afterwards'];
  if (indexname)
    return contype === 'CONSTR_PRIMARY'
      ? [`constraint ${conname} makes columns NOT NULL, for which every row is checked`]
      : [];
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
