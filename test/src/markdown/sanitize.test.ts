import { describe, expect, test } from 'vitest';
import { createRenderer } from '../../../src/markdown/render.ts';
import { safeAttributes, safeStyle } from '../../../src/markdown/sanitize.ts';
import { options, page } from './fixtures.ts';

const attacks: [string, string][] = [
  ['script element', '<script>alert(1)</script>'],
  ['script in capitals', '<SCRIPT SRC="https://evil.example/x.js"></SCRIPT>'],
  ['script in svg', '<svg><script>alert(1)</script></svg>'],
  ['javascript link', '<a href="javascript:alert(1)">x</a>'],
  ['javascript link in mixed case', '<a HREF="JaVaScRiPt:alert(1)">x</a>'],
  ['javascript link with a tab inside', '<a href="java\tscript:alert(1)">x</a>'],
  ['javascript link with entities', '<a href="java&#x09;script&colon;alert(1)">x</a>'],
  ['javascript link with control characters before it', '<a href="&#1;&#2; javascript:alert(1)">x</a>'],
  ['javascript link in Markdown', '[x](javascript:alert(1))'],
  ['javascript link in Markdown with entities', '[x](java&#115;cript:alert(1))'],
  ['javascript in a reference link', '[x][y]\n\n[y]: javascript:alert(1)'],
  ['javascript in an automatic link', '[x](<javascript:alert(1)>)'],
  ['javascript image', '![x](javascript:alert(1))'],
  ['javascript in a reference image', '![x][y]\n\n[y]: vbscript:alert(1)'],
  ['data link', '<a href="data:text/html,<script>alert(1)</script>">x</a>'],
  ['vbscript link', '<a href="vbscript:msgbox(1)">x</a>'],
  ['event handler', '<img src="x.png" onerror="alert(1)" />'],
  ['event handler in capitals', '<img src="x.png" ONERROR="alert(1)" />'],
  ['event handler on a component', '<Card title="x" onClick="alert(1)">x</Card>'],
  ['formaction', '<button formaction="javascript:alert(1)">x</button>'],
  ['form', '<form action="javascript:alert(1)"><input type="submit" /></form>'],
  ['srcdoc', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ['iframe with javascript', '<iframe src="javascript:alert(1)"></iframe>'],
  ['iframe with data', '<iframe src="data:text/html,<script>alert(1)</script>"></iframe>'],
  ['object', '<object data="javascript:alert(1)"></object>'],
  ['embed', '<embed src="javascript:alert(1)" />'],
  ['meta refresh', '<meta http-equiv="refresh" content="0;url=javascript:alert(1)" />'],
  ['base', '<base href="https://evil.example/" />'],
  ['link to a stylesheet', '<link rel="stylesheet" href="https://evil.example/x.css" />'],
  ['style element', '<style>body { background: url(javascript:alert(1)) }</style>'],
  ['style with a URL', '<div style="background: url(javascript:alert(1))">x</div>'],
  ['style with an expression', '<div style="width: expression(alert(1))">x</div>'],
  ['style with an escape', '<div style="background: u\\72l(javascript:alert(1))">x</div>'],
  ['svg animation of a link', '<svg><a><animate attributeName="href" values="javascript:alert(1)" /><text>x</text></a></svg>'],
  ['svg link', '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>'],
  ['svg use of another file', '<svg><use href="data:image/svg+xml,<svg onload=alert(1)>" /></svg>'],
  ['svg with a handler', '<svg onload="alert(1)"></svg>'],
  ['foreignObject', '<svg><foreignObject><iframe src="javascript:alert(1)"></iframe></foreignObject></svg>'],
  ['srcset', '<img srcset="javascript:alert(1) 1x, /a.png 2x" />'],
  ['card URL', '<Card title="x" href="javascript:alert(1)">x</Card>'],
  ['card image', '<Card title="x" img="javascript:alert(1)">x</Card>'],
  ['icon URL', '<Icon icon="javascript:alert(1)//x.svg" />'],
  ['tooltip URL', '<Tooltip tip="x" cta="y" href="javascript:alert(1)">x</Tooltip>'],
  ['tile URL', '<Tile title="x" href="javascript:alert(1)">x</Tile>'],
  ['repository URL', '<GitHub.Repo repo="javascript:alert(1)" />'],
  ['color with markup', '<Icon icon="key" color={"red\\"><script>alert(1)</script>"} />'],
  ['title with markup', '<Card title="<img src=x onerror=alert(1)>">x</Card>'],
  ['title with Markdown that is a link', '<Card title="[x](javascript:alert(1))">x</Card>'],
  ['fence title with markup', '```js "><script>alert(1)</script>\nx\n```'],
  ['fence language with markup', '```"><script>alert(1)</script>\nx\n```'],
  ['code with markup', '```js\n</code></pre><script>alert(1)</script>\n```'],
  ['heading id with markup', '## x {#"><script>alert(1)</script>}'],
  ['constructor chain', '{[].constructor.constructor("alert(1)")()}'],
  ['constructor chain in an attribute', '<Card title={"".constructor.constructor("alert(1)")()}>x</Card>'],
  ['dangerouslySetInnerHTML', '<div dangerouslySetInnerHTML={{ __html: "<script>alert(1)</script>" }} />'],
  ['spread of handlers', '<img {...{ src: "x.png", onError: "alert(1)" }} />'],
  ['unclosed tag', '<img src="x.png" onerror="alert(1)"'],
  ['tag in a tag', '<<script>script>alert(1)<</script>/script>'],
  ['comment that ends early', '<!--><script>alert(1)</script>-->'],
  ['math and style', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>'],
  ['noscript', '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>'],
  ['formula with markup', '$$\n</code><script>alert(1)</script>\n$$'],
  ['formula with markup in its text', '$\\text{<img src=x onerror=alert(1)>} = x$'],
  ['formula with a link', '$\\href{javascript:alert(1)}{x} = y$'],
  ['formula with a URL', '$$\n\\url{javascript:alert(1)}\n$$'],
  ['formula with a picture', '$$\n\\includegraphics{https://evil.example/x.png}\n$$'],
  ['formula with attributes', '$$\n\\htmlData{x=" onclick="alert(1)}{x} \\htmlStyle{background:url(javascript:1)}{y}\n$$'],
  ['formula with a color', '$$\n\\color{red;background:url(https://evil.example)}x\n$$'],
  ['diagram with markup', '```mermaid\n</code><script>alert(1)</script>\n```'],
];

/** The MathML of a formula: these elements, with attributes of layout only. */
const mathml =
  /<math xmlns="http:\/\/www\.w3\.org\/1998\/Math\/MathML"(?: display="block")?>(?:<\/?(?:semantics|annotation|mrow|mi|mo|mn|mtext|ms|mspace|msup|msub|msubsup|mfrac|msqrt|mroot|mover|munder|munderover|mtable|mtr|mtd|mstyle|mpadded|mphantom|menclose)(?: (?:encoding|mathvariant|stretchy|fence|separator|lspace|rspace|width|height|depth|voffset|displaystyle|scriptlevel|columnalign|rowspacing|columnspacing|linethickness|mathcolor|mathbackground|accent|accentunder|notation|minsize|maxsize|movablelimits|linebreak|symmetric|largeop)="[^"<>]*")*>|[^<])*<\/math>/g;

/** Tags that a browser would execute or load as code. */
function dangersIn(whole: string): string[] {
  const html = whole.replace(mathml, '');
  const tags = html.match(/<[a-zA-Z][^\s>/]*(?:"[^"]*"|'[^']*'|[^"'>])*>/g) ?? [];
  return tags.filter(
    (tag) =>
      /^<(?:script|style|object|embed|form|base|meta|link|animate|set|foreignobject|math|noscript|template|textarea)\b/i.test(
        tag,
      ) ||
      /\s(?:on\w+|formaction|srcdoc|xlink:href|action|http-equiv)\s*=/i.test(tag.replace(/"[^"]*"/g, '""')) ||
      /(?:href|src|srcset|poster)="(?:[^"]*,)?\s*(?:javascript|vbscript|data:text|data:image\/svg\+xml,<)/i.test(tag) ||
      /style="[^"]*(?:url|expression|\\)/i.test(tag),
  );
}

describe.each(['mdx', 'md'] as const)('in %s', (kind) => {
  test.each(attacks)('%s is inert', async (_name, source) => {
    const renderer = createRenderer(options);
    const { html } = await renderer.render(page(source, { kind, file: `page.${kind}` }));
    expect(dangersIn(html)).toEqual([]);
  });
});

test('the check of this test finds dangerous HTML', () => {
  expect(dangersIn('<math xmlns="http://www.w3.org/1998/Math/MathML"><mtext><img src=x></mtext></math>')).toHaveLength(1);
  expect(dangersIn('<img src="x" onerror="alert(1)"><script>1</script><a href="javascript:1">')).toHaveLength(3);
});

test.each<[unknown, string | undefined]>([
  ['color: red; margin: 0 auto', 'color:red;margin:0 auto'],
  [{ maxWidth: 300, lineHeight: 1.5, '--x': 2 }, 'max-width:min(100%,300px);line-height:1.5;--x:2'],
  ['position: fixed; top: 0', 'top:0'],
  ['background: URL(x)', undefined],
  ['background-image: image-set("x" 1x)', undefined],
  ['color: red; -moz-binding: x', 'color:red'],
])('the style %j becomes %j', (style, safe) => {
  expect(safeStyle(style)).toBe(safe);
});

test('attributes get their HTML names, and only allowed ones stay', () => {
  expect(safeAttributes('td', { className: 'a', colSpan: 2, onClick: 'x', href: '/x', 'data-x': 1, ID: 'b' })).toEqual({
    class: 'a',
    colspan: '2',
    'data-x': '1',
    id: 'b',
  });
});

test("an author's button looks like one and does nothing", async () => {
  const renderer = createRenderer(options);
  const { html, markdown } = await renderer.render(
    page('Press <button type="submit" className="bg-black" style={{ color: "red" }} onClick={() => alert(1)}>here</button> now.'),
  );
  expect(html).toBe('<p>Press <span class="c-author-button bg-black" style="color:red">here</span> now.</p>');
  expect(markdown).toBe('Press here now.');
});

describe('a data: URL', () => {
  const image = 'data:image/svg+xml,%3Csvg%20onload=%22alert(1)%22/%3E';

  test.each([
    ['a link', `[x](${image})`],
    ['a link by reference', `[x][y]\n\n[y]: ${image}`],
    ['a link with entities', `[x](d&#97;ta:${image.slice(5)})`],
    ['a link in HTML', `<a href="${image}">x</a>`],
    ['a card', `<Card title="x" href="${image}">x</Card>`],
    ['a tile', `<Tile title="x" href="${image}">x</Tile>`],
    ['a button', `<LinkButton href="${image}">x</LinkButton>`],
    ['a tooltip', `<Tooltip tip="x" cta="y" href="${image}">x</Tooltip>`],
  ])('is removed from %s and reported', async (_, body) => {
    const { html, markdown, problems } = await createRenderer(options).render(page(body));
    expect(html).toContain('x');
    expect(html).not.toContain('data:');
    expect(body.includes('[y]') || !markdown.includes('](data:')).toBe(true);
    expect(problems).toEqual([
      expect.objectContaining({
        kind: 'link-unsafe',
        severity: 'warning',
        message: expect.stringMatching(/"d(?:a|&#97;)ta:image/),
      }),
    ]);
  });

  test.each([
    ['an image', `![x](${image})`],
    ['an image by reference', `![x][y]\n\n[y]: ${image}`],
    ['an image in HTML', `<img alt="" src="${image}" />`],
    ['the image of a card', `<Card title="x" img="${image}">x</Card>`],
    ['an icon', `<Icon icon="${image}" />`],
  ])('stays the URL of %s', async (_, body) => {
    const { html, problems } = await createRenderer(options).render(page(body));
    expect(html).toContain('src="data:image/svg+xml,');
    expect(problems).toEqual([]);
  });

  test('a link that runs code is reported once', async () => {
    const { problems } = await createRenderer(options).render(page('[x](javascript:alert(1)) and [x](javascript:alert(1))'));
    expect(problems.map(({ kind }) => kind)).toEqual(['link-unsafe']);
  });
});
