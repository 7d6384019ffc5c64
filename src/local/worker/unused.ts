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
        CallExpression({ callee, arguments: [argument], end }) {
          const called = nameOf(callee);
          if (called === 'endpoint') removeTexts(argument, source);
          if (called === 'defineEvents' && argument?.type === 'ObjectExpression') {
            for (const event of argument.properties) {
              if (event.type === 'Property') removeTexts(event.value, source);
            }
          }
          if (callee.type !== 'MemberExpression') return;
          const isText = called === 'describe' && argument && argument.type !== 'ObjectExpression';
          const isForReaders = called === 'meta' && argument && !isActedOn(argument);
          if (isText || isForReaders) source.remove(callee.object.end, end);
        },
      });
      visitor.visit(this.parse(code, { lang: 'ts' }));
      return { code: source.toString() };
    },
  },
};

/** Whether the worker reads it as well, and not the document alone. */
const isActedOn = (meta: ESTree.Node) =>
  meta.type === 'ObjectExpression' &&
  meta.properties.some(
    (property) =>
      property.type === 'Property' &&
      property.key.type === 'Identifier' &&
      property.key.name === 'allowEmptyValue',
  );

/** The name of a function that is called, also of a method. */
function nameOf(callee: ESTree.Expression): string | undefined {
  if (callee.type === 'MemberExpression') {
    return callee.property.type === 'Identifier' ? callee.property.name : undefined;
  }
  return callee.type === 'Identifier' ? callee.name : undefined;
}

function removeTexts(declaration: ESTree.Node | undefined, source: MagicString): void {
  if (declaration?.type !== 'ObjectExpression') return;
  declaration.properties.forEach((property, i) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') return;
    if (!['summary', 'description'].includes(property.key.name)) return;
    const next = declaration.properties[i + 1]?.start ?? declaration.end - 1;
    source.remove(property.start, next);
  });
}

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
