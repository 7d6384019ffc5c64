import { MagicString } from 'magic-string';
import type { Plugin } from 'rolldown';
import { type ESTree, Visitor } from 'rolldown/utils';

/**
 * Leaves out what endpoints, events and schemas say for readers alone: the document is made from the
 * sources, and the worker has no part in it. Only `allowEmptyValue` is for both.
 */
export const unusedTexts: Plugin = {
  name: 'unused-texts',
  transform: {
    filter: { id: /\/src\/[^?]+\.ts$/ },
    handler(code) {
      const source = new MagicString(code);
      const visitor = new Visitor({
        ObjectExpression: (declaration) => removeTexts(declaration, source),
        CallExpression({ callee, arguments: all, end }) {
          const [argument] = all;
          if (callee.type === 'Identifier')
            emptyText(all[textArguments[callee.name] ?? -1], source);
          if (callee.type !== 'MemberExpression' || !argument) return;
          const called = callee.property.type === 'Identifier' ? callee.property.name : '';
          const isText = called === 'describe' && argument.type !== 'ObjectExpression';
          const isForReaders = called === 'meta' && !isActedOn(argument);
          if (isText || isForReaders) source.remove(callee.object.end, end);
        },
      });
      visitor.visit(this.parse(code, { lang: 'ts' }));
      return { code: source.toString() };
    },
  },
};

/** Which argument is a text for readers: why an operation is open, what a resource is. */
const textArguments: Readonly<Record<string, number>> = { open: 0, resource: 1 };

function emptyText(argument: ESTree.Argument | undefined, source: MagicString): void {
  if (argument?.type === 'Literal') source.update(argument.start, argument.end, "''");
}

/** Whether the worker reads it as well, and not the document alone. */
const isActedOn = (meta: ESTree.Node) =>
  meta.type === 'ObjectExpression' &&
  meta.properties.some(
    (property) =>
      property.type === 'Property' &&
      property.key.type === 'Identifier' &&
      property.key.name === 'allowEmptyValue',
  );

/** Removes the summary of a declaration, and the description beside it. */
function removeTexts({ properties, end }: ESTree.ObjectExpression, source: MagicString): void {
  const names = properties.map((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : '',
  );
  if (!names.includes('summary')) return;
  properties.forEach(({ start }, i) => {
    const isText = names[i] === 'summary' || names[i] === 'description';
    if (isText) source.remove(start, properties[i + 1]?.start ?? end - 1);
  });
}

/**
 * Removes the optional modules that a deployment doesn't switch on. `src/modules/index.ts` imports each from the folder
 * that is named for its key.
 */
export const unusedModules = (on: readonly string[]): Plugin => ({
  name: 'unused-modules',
  transform: {
    filter: { id: /\/src\/modules\/index\.ts$/ },
    handler(code) {
      const source = new MagicString(code);
      const off: string[] = [];
      const visitor = new Visitor({
        ImportDeclaration({ source: { value }, specifiers, start, end }) {
          const key = /^\.\/([^/]+)\/index\.ts$/.exec(value)?.[1];
          if (key === undefined || on.includes(key)) return;
          off.push(...specifiers.map(({ local }) => local.name));
          source.remove(start, end);
        },
        ArrayExpression({ elements, end }) {
          elements.forEach((item, i) => {
            if (item?.type !== 'Identifier' || !off.includes(item.name)) return;
            source.remove(item.start, elements[i + 1]?.start ?? end - 1);
          });
        },
      });
      visitor.visit(this.parse(code, { lang: 'ts' }));
      return { code: source.toString() };
    },
  },
});

/** Leaves out what makes JSON Schemas: only the document has any, and zod refers to it everywhere. */
export const unusedJsonSchemas: Plugin = {
  name: 'unused-json-schemas',
  transform: {
    filter: { id: /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ },
    handler(code) {
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      );
      return { code: names.map((name) => `export const ${name} = () => undefined;`).join('\n') };
    },
  },
};

/**
 * Leaves out what the filter of HTML lets through by itself, and what filters styles: `src/lib/html.ts`
 * says what stays, and no style does.
 */
export const unusedFilters: Plugin = {
  name: 'unused-filters',
  transform: {
    filter: { id: /\/(cssfilter\/lib\/index|xss\/lib\/default)\.js$/ },
    handler(code, id) {
      if (id.endsWith('default.js')) {
        return {
          code: code.replace(/(function getDefaultWhiteList\(\) \{).*?\n\}/s, '$1 return {}; }'),
        };
      }
      return {
        code: `exports.FilterCSS = class { process() { return ''; } };
          exports.getDefaultWhiteList = () => ({});`,
      };
    },
  },
};

/**
 * Lets the bundler leave out what the worker doesn't use of the driver, which is nearly all of it: it
 * speaks HTTP, the rest is for WebSockets. The driver is one file, bundled already, and what its
 * bundler wraps parts in and names functions with looks as if it had effects. It has none beyond the
 * part itself, and here each such call is marked so.
 */
export const unusedDriver: Plugin = {
  name: 'unused-driver',
  transform: {
    filter: { id: /\/@neondatabase\/serverless\/index\.mjs$/ },
    handler(code) {
      const source = new MagicString(code);
      for (const { start } of this.parse(code).body.flatMap(effectless)) {
        source.prependLeft(start, '/*#__PURE__*/ ');
      }
      return { code: source.toString() };
    },
  },
};

/** `var part = wrap(load())`, and `name(part, "part")`: not `initialise()`, which is for its effects. */
function effectless(statement: ESTree.Statement | ESTree.Directive): ESTree.CallExpression[] {
  if (statement.type === 'VariableDeclaration') {
    return statement.declarations.flatMap(({ init }) => callsIn(init));
  }
  if (statement.type !== 'ExpressionStatement') return [];
  const { expression } = statement;
  const names = expression.type === 'CallExpression' && expression.arguments[1]?.type === 'Literal';
  return names ? [expression] : [];
}

const callsIn = (node: ESTree.Node | null): ESTree.CallExpression[] =>
  node?.type === 'CallExpression' ? [node, ...node.arguments.flatMap(callsIn)] : [];
