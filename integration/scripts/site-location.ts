// Scripts of a site that show the page which `location` names get a location of their own (reader/page-app.ts): `window.location` and
// `window.history` become its properties, and each script is a function with the parameters `location` and `history`.
import { parseSync, Visitor } from 'rolldown/utils';
import { applyEdits, type Edit } from '../text/edit.ts';
import { scriptFault, type SourceType } from './script-fault.ts';

/** Parameters of the function around a script, which hide the globals of these names. */
export const locationParameters = 'location,history';

/** A script that uses the location of its page on the site; unchanged if it cannot be parsed. */
export function withSiteLocation(code: string, sourceType: SourceType): string {
  if (!mayUse.test(code) || scriptFault(code, sourceType)) return code;
  const { program, errors } = parseSync('script.js', code, { lang: 'js', sourceType });
  if (errors.length > 0) return code;
  const edits: Edit[] = [];
  new Visitor({
    MemberExpression({ start, end, computed, object, property }) {
      if (computed || object.type !== 'Identifier' || !globals.has(object.name) || property.type !== 'Identifier') return;
      if (property.name !== 'location' && property.name !== 'history') return;
      edits.push({ start, end, text: `__carrel_application.${property.name}` });
    },
    // A connection to the host of a search service, before anybody searches.
    AssignmentExpression({ left, right: { start, end } }) {
      if (left.type !== 'MemberExpression' || !code.slice(left.start, left.end).endsWith('.rel')) return;
      if (/^["'`](?:preconnect|dns-prefetch)["'`]$/.test(code.slice(start, end))) edits.push({ start, end, text: '""' });
    },
  }).visit(program);
  return applyEdits(code, edits);
}

const globals = new Set(['window', 'globalThis', 'document']);
const mayUse = /\b(?:window|globalThis|document)\s*\??\.\s*(?:location|history)\b|["'`](?:preconnect|dns-prefetch)["'`]/;

/** A classic script that uses the location of its page on the site. */
export function scriptWithSiteLocation(code: string): string {
  return `(function(${locationParameters}){${withSiteLocation(code, 'script')}\n})(__carrel_application.location,__carrel_application.history);\n`;
}
