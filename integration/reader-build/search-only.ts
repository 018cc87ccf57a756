import { parse } from 'acorn';
import type { Plugin } from 'vite';

/** The methods of MiniSearch that search/corpus.ts and rank.ts call. Readers search an index of our own, and add nothing to it. */
const called: Record<string, string[]> = { MiniSearch: ['constructor', 'loadJS', 'search'], SearchableMap: ['constructor'] };

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
        const kept = new Set<string>();
        const keep = (name: string): void => {
          const method = kept.has(name) ? undefined : methods.find((one) => one.name === name);
          if (!method) return;
          kept.add(name);
          for (const [, next] of code.slice(method.start, method.end).matchAll(/\bthis\.(\w+)/g)) keep(next!);
        };
        const roots = called[id.name];
        roots?.forEach(keep);
        return roots ? methods.filter(({ name }) => !kept.has(name)) : [];
      });
      return removed.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), code);
    },
  },
};
