import { parse } from 'acorn';
import type { Plugin } from 'vite';

/** The methods of MiniSearch that search/corpus.ts and rank.ts call. Readers search an index of our own, and add nothing to it. */
const called: Record<string, string[]> = {
  MiniSearch: ['constructor', 'loadJS', 'executeQuery'],
  SearchableMap: ['constructor'],
};
/** What these call for documents that were removed and for a query of all documents, which such an index does not have. */
const neverCalled = new Set(['removeTerm', 'executeWildcardQuery']);

/** Leaves out the methods that these do not call in turn: they would be a seventh of what a first search loads. */
export const searchOnly: Plugin = {
  name: 'search-only',
  transform: {
    filter: { id: /[\\/]minisearch[\\/]dist[\\/]es[\\/]index\.js$/ },
    handler(code) {
      const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
      const classes = body.flatMap((node) => (node.type === 'ClassDeclaration' ? [node] : []));
      const removed = classes.flatMap(({ id, body: { body: members } }) => {
        const methods = members.flatMap((member) =>
          'key' in member && member.key.type === 'Identifier' ? [{ ...member, name: member.key.name }] : [],
        );
        const kept = new Set(neverCalled);
        const keep = (name: string): void => {
          const method = kept.has(name) ? undefined : methods.find((one) => one.name === name);
          if (!method) return;
          kept.add(name);
          for (const [, next] of code.slice(method.start, method.end).matchAll(/\bthis\.(\w+)/g)) keep(next!);
        };
        const roots = called[id.name];
        roots?.forEach(keep);
        return roots ? methods.filter(({ name }) => !kept.has(name) || neverCalled.has(name)) : [];
      });
      return removed.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), code);
    },
  },
};
