import { parse } from 'acorn';
import type { Plugin } from 'vite';

/** The methods of MiniSearch 7.2 that a search calls. Readers search an index of our own (search/corpus.ts), and add nothing to it. */
const kept: Record<string, string[]> = {
  MiniSearch: [
    ...['constructor', 'loadJS', 'instantiateMiniSearch', 'search', 'executeQuery', 'executeQuerySpec'],
    ...['executeWildcardQuery', 'combineResults', 'termResults'],
  ],
  SearchableMap: ['constructor'],
};

/** Leaves out the other methods: they would be a seventh of what a first search loads. */
export const searchOnly: Plugin = {
  name: 'search-only',
  transform: {
    filter: { id: /[\\/]minisearch[\\/]dist[\\/]es[\\/]index\.js$/ },
    handler(code) {
      const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
      const removed: { start: number; end: number }[] = [];
      for (const [name, methods] of Object.entries(kept)) {
        const found = body.find((node) => node.type === 'ClassDeclaration' && node.id.name === name);
        const members = found?.type === 'ClassDeclaration' ? found.body.body : [];
        const nameOf = (member: (typeof members)[number]) =>
          'key' in member && member.key.type === 'Identifier' ? member.key.name : '';
        const missing = methods.find((method) => !members.some((member) => nameOf(member) === method));
        if (missing !== undefined)
          throw new Error(`${name} of MiniSearch has no method ${missing}: look at what a search calls.`);
        removed.push(...members.filter((member) => !methods.includes(nameOf(member))));
      }
      const ordered = removed.sort((a, b) => b.start - a.start);
      return ordered.reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), code);
    },
  },
};
