import { MagicString } from 'magic-string';
import type { Plugin } from 'rolldown';
import { type ESTree, Visitor } from 'rolldown/utils';

/**
 * Removes the texts of endpoints, events and schemas that only readers need: the document is made from the sources,
 * without the worker. Only `allowEmptyValue` is for both.
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

/** The argument that is a text for readers: the reason why an operation is open. */
const textArguments: Readonly<Record<string, number>> = { open: 0 };

function emptyText(argument: ESTree.Argument | undefined, source: MagicString): void {
  if (argument?.type === 'Literal') source.update(argument.start, argument.end, "''");
}

/** Tells if the worker reads this meta as well, not only the document. */
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

/** Removes the keys, indexes and checks of tables; only migrations need them. */
export const unusedConstraints: Plugin = {
  name: 'unused-constraints',
  transform: {
    filter: { id: /\/src\/schema\/[^?]+\.ts$/ },
    handler(code) {
      const source = new MagicString(code);
      const visitor = new Visitor({
        CallExpression({ callee, arguments: [, columns, constraints] }) {
          const called = callee.type === 'MemberExpression' ? callee.property : callee;
          if (called.type !== 'Identifier' || called.name !== 'pgTable') return;
          if (columns && constraints) source.remove(columns.end, constraints.end);
        },
      });
      visitor.visit(this.parse(code, { lang: 'ts' }));
      return { code: source.toString() };
    },
  },
};
