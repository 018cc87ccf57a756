import { expect, test } from 'vitest';
import { humanize, pageFacts, pageTitle, withOwnHeadings } from '../../../src/site/page-facts.ts';
import { sourceOf } from './site-of.ts';

function titleOf(text: string) {
  const { title, source } = pageTitle(sourceOf({ 'guides/how-to_start.md': text }, {}).pages[0]!);
  return [title, source.body];
}

test.each([
  ['the frontmatter', '---\ntitle: Own\n---\nText\n', 'Own', 'Text\n'],
  ['a number in the frontmatter', '---\ntitle: 404\n---\nText', '404', 'Text'],
  ['the first heading', 'Intro\n\n# Heading\n\nText\n', 'Heading', 'Intro\n\n\n\nText\n'],
  ['an underlined heading', 'Heading\n=======\nText\n', 'Heading', '\n\nText\n'],
  ['a heading with marks', '# The `code` of **[x](/y)** {#id} #\n', 'The code of x', '\n'],
  ['an escaped tag', '# \\<script setup> {#script-setup}\n', '<script setup>', '\n'],
  ['a tag in code', '# `<T>` and ``a ` b``\n', '<T> and a ` b', '\n'],
  ['escaped signs', '# Q&amp;A: \\*not\\* a\\|b &mdash; 1 \\< 2\n', 'Q&A: *not* a|b — 1 < 2', '\n'],
  ['a heading with a tag', '# New <Badge>beta</Badge>\n', 'New beta', '\n'],
  ['an HTML heading', '<h1 align="center">My <b>Tool</b></h1>\n\nText\n', 'My Tool', '\n\nText\n'],
  ['an HTML heading of several lines', '<h1 align="center">\n  Tool &amp; Co&mdash;&#50;\n</h1>\n', 'Tool & Co—2', '\n\n\n'],
  [
    'an HTML heading with a picture, which stays',
    '<h1 align="center">\n  <img src="logo.svg" alt="Logo"><br>\n  Tool\n</h1>\nText\n',
    'Tool',
    '<p align="center"><img src="logo.svg" alt="Logo"></p>\n\n\n\nText\n',
  ],
  [
    'the heading after a picture alone',
    '<h1><img src="logo.svg"></h1>\n\n# Tool\n',
    'Tool',
    '<h1><img src="logo.svg"></h1>\n\n\n',
  ],
  ['the first of two', '# First\n\n<h1>Second</h1>\n', 'First', '\n\n<h1>Second</h1>\n'],
  [
    'the file name, when an HTML heading is code',
    '```html\n<h1>Not a title</h1>\n```\n',
    'How to start',
    '```html\n<h1>Not a title</h1>\n```\n',
  ],
  ['the file name', '## Part\n\nText\n', 'How to start', '## Part\n\nText\n'],
  ['the file name, when a heading is code', '```sh\n# not a title\n```\n', 'How to start', '```sh\n# not a title\n```\n'],
  ['the file name, when a heading is a comment', '<!--\n# Old\n-->\n', 'How to start', '<!--\n# Old\n-->\n'],
])('takes the title from %s', (_, text, title, body) => {
  expect(titleOf(text)).toEqual([title, body]);
});

test('a heading in HTML that most pages share is not their title, the one after it is', () => {
  const banner = '<h1 align="center">Tool</h1>\n\n';
  const titles = (files: Record<string, string>) =>
    withOwnHeadings(sourceOf(files, {}).pages).map((page) => pageTitle(page).title);
  const shared = { 'a.md': `${banner}# Setup\n`, 'b.md': `${banner}<h1>Use</h1>\n`, 'c.md': `${banner}Text\n` };
  expect(titles(shared)).toEqual(['Setup', 'Use', 'Tool']);
  expect(titles({ 'a.md': `${banner}# Setup\n`, 'b.md': '# Use\n', 'c.md': 'Text\n' })).toEqual(['Tool', 'Use', 'C']);
});

test('blanks a first heading that repeats the title, and keeps another', () => {
  expect(titleOf('---\ntitle: Setup\n---\n# SETUP\nText')).toEqual(['Setup', '\nText']);
  expect(titleOf('---\ntitle: Setup\n---\n# Other\nText')).toEqual(['Setup', '# Other\nText']);
  expect(titleOf('---\ntitle: Setup\n---\n<h1 align="center">Setup</h1>\nText')).toEqual(['Setup', '\nText']);
});

test('keeps a heading in HTML that repeats the title further down, as pages with a design of their own have it', () => {
  const designed = '<div>\n  <h1 className="text-4xl">Setup</h1>\n</div>\n';
  expect(titleOf(`---\ntitle: Setup\n---\n${designed}`)).toEqual(['Setup', designed]);
});

test.each(['custom', 'frame'])('keeps the heading of a page in the mode %s, for which the theme shows no title', (mode) => {
  const { title, anchors, source } = pageFacts(sourceOf({ 'page.mdx': `---\nmode: ${mode}\n---\n# Setup\n` }, {}).pages[0]!);
  expect([title, anchors, source.body]).toEqual(['Setup', [], '# Setup\n']);
});

test.each([
  ['# Getting *started*', ['getting-started']],
  ['# What is new?! {#news}', ['news', 'what-is-new']],
  ['# Fees & billing', ['fees-&-billing', 'fees--billing', 'fees-billing']],
  ['<h1 id="top-of-page">Tool</h1>', ['top-of-page', 'tool']],
  ['---\ntitle: Fees & billing\n---\nText', ['fees-&-billing', 'fees--billing', 'fees-billing']],
  ['---\ntitle: Setup\n---\n# SETUP {#start}\nText', ['start', 'setup']],
  ['---\ntitle: Setup\n---\n# Other\nText', ['setup']],
  ['No heading', []],
])('a title has its anchors, and those of the heading that it stands for: %s', (text, anchors) => {
  expect(pageTitle(sourceOf({ 'page.md': text }, {}).pages[0]!).anchors).toEqual(anchors);
});

test.each([
  ['01-getting-started', 'Getting started'],
  ['2.api_reference', 'Api reference'],
  ['2024', '2024'],
  ['3d-models', '3d models'],
  ['über-uns', 'Über uns'],
])('%s reads "%s"', (name, words) => {
  expect(humanize(name)).toBe(words);
});
