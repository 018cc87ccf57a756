import { expect, test } from 'vitest';
import { applyEdits } from '../../../integration/text/edit.ts';
import { copySymbols, inlineSymbols, svgUses } from '../../../integration/static-site/svg-symbols.ts';
import { readHtml } from '../../../integration/html/read-html.ts';

const sprite = `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg">
  <symbol id="bell" viewBox="0 0 16 16" fill="red"><path d="M3 12h10"/></symbol>
  <linearGradient id="sky"><stop offset="0"/></linearGradient>
  <symbol id="cloud"><path fill="url(#sky)"/></symbol>
  <symbol id="sun"><radialGradient id="glow"/><circle fill="url('#glow')"/></symbol>
  <g id="wave"><g><path d="M0 8q4-4 8 0"/></g></g>
  <path id="line" d="M0 0h9"/>
  <symbol id="alive"><path onclick="alert(1)"/></symbol>
  <symbol id="open">
</svg>`;

function drawn(html: string): string {
  const uses = svgUses();
  readHtml(html, { open: uses.open, close: (name, _start, end) => uses.close(name, end), text() {} });
  return applyEdits(
    html,
    inlineSymbols(uses.found(), (url) => {
      const [file, id] = url.split('#') as [string, string];
      return file === '/s.svg' ? { svg: sprite, id } : undefined;
    }),
  );
}

test.each([
  [
    'a symbol becomes a picture of its own, with what the use says of it',
    '<svg class="icon"><use href="/s.svg#bell" width="8" fill="blue"></use></svg>',
    '<svg class="icon"><svg viewbox="0 0 16 16" width="8" fill="blue"><path d="M3 12h10"/></svg></svg>',
  ],
  [
    'a use that closes itself, by the older attribute, in capitals and without quotes',
    '<svg><USE xlink:href=/s.svg#bell /></svg>',
    '<svg><svg viewbox="0 0 16 16" fill="red"><path d="M3 12h10"/></svg></svg>',
  ],
  [
    'a group moves to where the use has it',
    '<svg><use href="/s.svg#wave" x="4" y="2" class="w &quot;a&quot;"/></svg>',
    '<svg><g class="w &quot;a&quot;"><g transform="translate(4 2)"><g id="wave"><g><path d="M0 8q4-4 8 0"/></g></g></g></g></svg>',
  ],
  ['a shape without insides', '<svg><use href="/s.svg#line"/></svg>', '<svg><g><g><path id="line" d="M0 0h9"/></g></g></svg>'],
  [
    'a drawing that names parts of itself',
    '<svg><use href="/s.svg#sun"/></svg>',
    `<svg><svg><radialGradient id="glow"/><circle fill="url('#glow')"/></svg></svg>`,
  ],
])('%s', (_title, html, expected) => {
  expect(drawn(html)).toBe(expected);
});

test.each([
  ['one on the same page', '<use href="#bell"/>'],
  ['one of another file', '<use href="/other.svg#bell"/>'],
  ['one that is not there', '<use href="/s.svg#boat"/>'],
  ['one that needs other parts of its file', '<use href="/s.svg#cloud"/>'],
  ['one that would run a script', '<use href="/s.svg#alive"/>'],
  ['one that never ends', '<use href="/s.svg#open"/>'],
  ['a whole file', '<use href="/s.svg"/>'],
  ['nothing', '<use/>'],
])('%s stays unchanged', (_title, use) => {
  expect(drawn(`<svg>${use}</svg>`)).toBe(`<svg>${use}</svg>`);
});

test('on the page of an application each use stays, and shows a copy of its symbol outside of the application', () => {
  const html =
    '<body><div><svg><use class="a" href="/s.svg#bell"/></svg><svg><use href="/s.svg#wave"></use><use href="/s.svg#bell"></use><use href="/s.svg#cloud"></use></svg></div></body>';
  const uses = svgUses();
  readHtml(html, { open: uses.open, close: (name, _start, end) => uses.close(name, end), text() {} });
  const edits = copySymbols(uses.found(), '<body>'.length, (url) => ({ svg: sprite, id: url.split('#')[1] ?? '' }));
  expect(applyEdits(html, edits)).toBe(
    '<body><svg aria-hidden="true" style="position:absolute;width:0;height:0"><symbol id="carrel-symbol-0" viewbox="0 0 16 16" fill="red"><path d="M3 12h10"/></symbol>' +
      '<g id="carrel-symbol-1"><g><path d="M0 8q4-4 8 0"/></g></g></svg><div><svg><use href="#carrel-symbol-0" class="a"></use></svg>' +
      '<svg><use href="#carrel-symbol-1"></use><use href="#carrel-symbol-0"></use><use href="/s.svg#cloud"></use></svg></div></body>',
  );
});
