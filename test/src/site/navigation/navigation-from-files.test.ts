import { expect, test } from 'vitest';
import { kinds, outline, plainSite } from '../site-of.ts';

test('README comes first, numbers order and are not shown, folders are groups', () => {
  const site = plainSite({
    'README.md': '# Welcome',
    '02-second.md': '# The second',
    '10-tenth.md': 'no heading',
    'zebra.md': '# Zebra',
    'apple.md': '# Apple',
    '01-getting_started/README.md': '# Getting started',
    '01-getting_started/2.b.md': '# B',
    '01-getting_started/1.a.md': '# A',
    'how-to/one.md': '# One',
    'how-to/deep/two.md': '# Two',
  });
  expect(outline(site, 'site')).toEqual([
    'Welcome /',
    '- Getting started /01-getting_started',
    '  A /01-getting_started/1.a',
    '  B /01-getting_started/2.b',
    'The second /02-second',
    'Tenth /10-tenth',
    'Apple /apple',
    'Zebra /zebra',
    '- How to',
    '  One /how-to/one',
    '  + Deep',
    '    Two /how-to/deep/two',
  ]);
  expect(kinds(site)).toEqual([]);
});

test.each([
  ['sidebar_position', 'sidebar_position: 1'],
  ['order', 'order: 1'],
  ['weight', 'weight: "1"'],
  ['sidebar.order', 'sidebar:\n  order: 1'],
])('%s comes before names', (_, line) => {
  const site = plainSite({
    'a.md': '# A',
    'z.md': `---\ntitle: Z\n${line}\n---\n`,
    'folder/index.md': `---\ntitle: F\n${line.replace('1', '2')}\n---\n`,
  });
  expect(outline(site, 'site')).toEqual(['Z /z', 'F /folder', 'A /a']);
});

test('label, badge and hidden of a sidebar block count', () => {
  const site = plainSite({
    'a.mdx': '---\ntitle: A\nsidebar:\n  label: Short\n  badge:\n    text: New\n---\n',
    'b.mdx': '---\ntitle: B\nsidebar:\n  hidden: true\n---\n',
    'c.mdx': '---\ntitle: C\nsidebar:\n  badge: Beta\n---\n',
  });
  expect(site.contexts.get('site')!.sidebar).toMatchObject([
    { title: 'Short', tag: 'New' },
    { title: 'C', tag: 'Beta' },
  ]);
});

test('first folders that are translations become languages', () => {
  const site = plainSite({
    'index.md': '# Docs',
    'guide.md': '# Guide',
    'api/index.md': '# API',
    'de/index.md': '# Doku',
    'de/guide.md': '# Anleitung',
    'zh-cn/index.md': '# 文档',
    'zh-cn/guide.md': '# 指南',
  });
  expect(site.pages.map(({ path, language }) => `${path} ${language}`)).toEqual([
    ' en',
    'guide en',
    'api en',
    'de de',
    'de/guide de',
    'zh-cn zh-CN',
    'zh-cn/guide zh-CN',
  ]);
  expect(outline(site, 'de')).toEqual(['Doku /de', 'Anleitung /de/guide']);
});

test('a folder named like a language, with pages of its own, is not a translation', () => {
  const site = plainSite({ 'index.md': '# Docs', 'go/channels.md': '# Channels', 'id/tokens.md': '# Tokens' });
  expect(new Set(site.pages.map((page) => page.language))).toEqual(new Set(['en']));
});

test.each([
  ['ar', 'مقدمة إلى الوثائق والبحث'],
  ['he', 'מבוא לתיעוד ולחיפוש'],
  ['ja', 'ドキュメントの検索について'],
  ['zh', '文档搜索入门指南'],
  ['ko', '문서 검색 소개'],
  ['ru', 'Введение в документацию'],
  ['uk', 'Вступ до документації її пошуку'],
  ['en', 'Ein Text in lateinischer Schrift'],
])('the script of the pages tells %s where nothing else does', (language, text) => {
  const site = plainSite({ 'a.md': `# ${text}\n\n${text} \`code()\`\n\n\`\`\`js\nconst latin = 'letters';\n\`\`\`\n` });
  expect(site.pages[0]!.language).toBe(language);
  expect(kinds(site)).toEqual(language === 'en' ? [] : ['language-guessed']);
});

test('a SUMMARY.md sets order, groups and parts, and is not a page', () => {
  const site = plainSite({
    'SUMMARY.md':
      '# Summary\n\n[Foreword](README.md)\n\n# Guide\n\n- [Install](install.md)\n  - [Linux](install/linux.md#top)\n  - [Windows]()\n- [Use](./use.md)\n\n# Reference\n\n- [Gone](gone.md)\n- [CLI](cli.md)\n',
    'README.md': '# Foreword',
    'install.md': '# Install',
    'install/linux.md': '# Linux',
    'use.md': '# Use',
    'cli.md': '# CLI',
    'extra.md': '# Extra',
  });
  expect(outline(site, 'site')).toEqual([
    'Foreword /',
    '- Guide',
    '  + Install /install',
    '    Linux /install/linux',
    '  Use /use',
    '- Reference',
    '  CLI /cli',
  ]);
  expect(site.pages.map((page) => page.path)).toEqual(['', 'install', 'install/linux', 'use', 'cli', 'extra']);
  expect(site.navigation.missing.map(({ entry }) => entry)).toEqual(['gone']);
});

test('a home page in Latin script outweighs pages in others', () => {
  const site = plainSite({
    'README.md': `# Docs\n\n${'An English text. '.repeat(20)}`,
    'README.zh-CN.md': `# 文档\n\n${'文档搜索入门指南。'.repeat(50)}`,
  });
  expect(new Set(site.pages.map((page) => page.language))).toEqual(new Set(['en']));
});

test('a translation that is under way counts as its language', () => {
  const site = plainSite({
    'a.md': `# A\n\n${'An English text. '.repeat(10)}`,
    'b.md': `# B\n\n${'مقدمة إلى الوثائق والبحث. '.repeat(3)}`,
  });
  expect(site.pages[0]!.language).toBe('ar');
});
