import { expect, exported, test } from './exported.ts';
import { openSearch, search } from './search-dialog.ts';

// The words that a reader types, and the section that must come first.
const words: [site: string, from: string, words: string, first: string][] = [
  ['docs-json-site', 'index.html', 'kuberntes', 'guides/deploy/kubernetes/index.html'],
  ['docs-json-site', 'index.html', 'kuber', 'guides/deploy/kubernetes/index.html'],
  ['docs-json-site', 'index.html', 'PARTITIONKEY', 'concepts/queues/index.html#order'],
  ['docs-json-site', 'index.html', 'batch trigger', 'components/headings/index.html#tasks-batchtrigger'],
  ['docs-json-site', 'index.html', 'tasks.batchTrigger', 'components/headings/index.html#tasks-batchtrigger'],
  ['docs-json-site', 'index.html', 'maximum lease', 'reference/configuration/index.html#leases'],
  ['docs-json-site', 'index.html', 'leases.maximumLease', 'reference/configuration/index.html#leases'],
  ['docs-json-site', 'index.html', 'retries.attempts', 'reference/configuration/index.html#retries'],
  ['arabic', 'index.html', 'تثبيت', 'guides/install/index.html'],
  ['arabic', 'index.html', 'تَثْبيت', 'guides/install/index.html'],
  ['arabic', 'index.html', 'مدرسه', 'guides/search/index.html#أشكال-الهمزة'],
  ['arabic', 'index.html', 'المتصف', 'guides/install/index.html'],
  ['russian', 'index.html', 'установка', 'install/index.html'],
  ['russian', 'index.html', 'ежики', 'hedgehogs/index.html'],
  ['russian', 'index.html', 'напряж', 'install/index.html#требования'],
  ['russian', 'index.html', 'подклучение', 'install/index.html#подключение'],
  ['cjk', 'zh/index.html', '乌龙', 'zh/water/index.html#例：乌龙茶'],
  ['cjk', 'ja/brewing/index.html', 'コンテンツ', 'ja/index.html#例：コンテンツレビュー'],
  ['cjk', 'ko/brewing/index.html', '홍차', 'ko/brewing/index.html#온도'],
];

for (const site of new Set(words.map(([name]) => name))) {
  test(`typos, prefixes and parts of words find their section in ${site}`, async ({ page }) => {
    const { file } = exported(site);
    const home = file('').replace(/\/?$/, '/');
    let at = '';
    for (const [, from, query, first] of words.filter(([name]) => name === site)) {
      if (at !== from) {
        await page.goto(file(from));
        await openSearch(page);
        at = from;
      }
      expect((await search(page, query, home))[0], query).toBe(first);
    }
  });
}
