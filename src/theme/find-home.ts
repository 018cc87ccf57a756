/**
 * Script of our theme's 404 page (that of other sites: `integration/page/not-found-page.ts`). Its text is the same in every export, so that a content security policy can contain its hash.
 * It tries the site's stylesheet in each folder above the missing URL; the site is in the folder where it loads.
 * When opened from disk, the page is in the site's folder and its links name files (`data-file`). Search comes with another script, which is there.
 */
export const findHome = `(() => {
  const { style, script, redirect } = document.currentScript.dataset;
  const links = document.querySelectorAll('main a[data-path]');
  const home = document.getElementById('home');
  const levels = location.pathname.split('/').slice(1, -1);
  const lead = (base) => { for (const link of links) link.href = base + link.dataset.path; };
  const addSearch = (base) => document.head.append(Object.assign(document.createElement('script'), { src: base + script }));
  const look = (depth) => {
    if (depth < 0) {
      if (!/^https?:/.test(home.getAttribute('href'))) lead('/');
      return;
    }
    const base = location.origin + '/' + levels.slice(0, depth).map((level) => level + '/').join('');
    const sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.media = 'not all';
    sheet.href = base + style;
    sheet.onload = () => {
      lead(base);
      if (redirect !== undefined) location.replace(home.href);
      else addSearch(base);
    };
    sheet.onerror = () => { sheet.remove(); look(depth - 1); };
    document.head.append(sheet);
  };
  if (location.protocol === 'file:') {
    for (const link of links) link.href = link.dataset.file;
    addSearch('');
  } else look(levels.length);
})();`;
