import { english } from '../../../integration/texts/index.ts';
import type { PageView, Reader } from '../../../src/site/page-view.ts';

/** The theme's client files. */
export const sampleReader: Reader = {
  style: '/s.css',
  partStyles: { blocks: '', fields: '', long: '', parts: '' },
  earlyScript: '/e.js',
  script: '/r.js',
  notFoundScript: '/n.js',
  tabsScript: '/t.js',
  islandsScript: '/i.js',
};

/** A page as the export hands it to the theme, changed where a test says so. */
export function samplePage(
  reader: Reader,
  change: {
    site?: Partial<PageView['site']>;
    config?: object;
    page?: object;
    context?: object;
    sidebar?: PageView['sidebar'];
  } = {},
): PageView {
  return {
    site: {
      name: 'Acme',
      home: '/',
      generator: 'carrel/0.0.0',
      reader,
      config: {
        description: 'All about Acme.',
        colors: { primary: '#0f766e', light: '#2dd4bf', dark: '#0f766e' },
        appearance: { default: 'system', strict: false },
        iconLibrary: 'lucide',
        eyebrows: 'section',
        feedback: true,
        codeblocks: 'system',
        navbar: { links: [{ label: 'Support', href: 'https://support.example' }] },
        footer: { socials: { github: 'https://github.example/acme' }, links: [] },
        drilldown: false,
        downloads: [],
        metatags: {},
        indexing: 'navigable',
        timestamp: false,
        notFound: { redirect: false },
        variables: {},
        styles: [],
        ...change.config,
      },
      ...change.site,
    },
    page: {
      path: 'guides/install',
      title: 'Install',
      anchors: [],
      styles: [],
      scripts: [],
      language: 'en',
      dir: 'ltr',
      mode: 'default',
      deprecated: false,
      html: '<h2 id="npm">npm</h2><p>Run it.</p>',
      headings: [{ depth: 2, id: 'npm', text: 'npm' }],
      trail: [{ title: 'Guides', href: '/guides/about' }, { title: 'Start' }],
      noindex: false,
      searchable: true,
      isHome: false,
      inSitemap: true,
      inLlms: true,
      showsFeed: false,
      updateTags: [],
      keywords: [],
      related: [],
      metatags: {},
      markdownHref: '/guides/install.md',
      ...change.page,
    },
    context: {
      language: 'en',
      languages: [],
      versions: [],
      products: [],
      dropdowns: [],
      tabs: [
        { label: 'Guides', href: '/', active: true },
        { label: 'API', href: '/api', active: false },
      ],
      anchors: [],
      ...change.context,
    },
    sidebar: change.sidebar ?? {
      context: 'site',
      isPartial: false,
      nodes: [
        {
          kind: 'group',
          title: 'Start',
          open: true,
          children: [
            { kind: 'page', path: '', title: 'Introduction', href: '/' },
            {
              kind: 'group',
              title: 'Setup',
              open: true,
              children: [{ kind: 'page', path: 'guides/install', title: 'Install', href: '/guides/install' }],
            },
            {
              kind: 'group',
              title: 'Folded',
              open: false,
              children: [{ kind: 'page', path: 'guides/old', title: 'Old', href: '/guides/old', deprecated: true }],
            },
          ],
        },
      ],
    },
    labels: {
      ...english.theme,
      search: english.search.search,
      close: english.dialogs.close,
      copied: english.ask.askCopied,
      tags: 'Tags',
      nearest: english.quotes.answerNearest,
    },
  };
}
