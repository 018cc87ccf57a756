/**
 * Script of the 404 page, the same text in every export so that a content security policy can name its hash.
 * It tries the site's style sheet in each folder above the missing address; where that loads, the site lives.
 */
export const findHome = `(() => {
  const { style, home, redirect } = document.currentScript.dataset;
  const link = document.getElementById('home');
  const levels = location.pathname.split('/').slice(1, -1);
  const look = (depth) => {
    if (depth < 0) return;
    const base = location.origin + '/' + levels.slice(0, depth).map((level) => level + '/').join('');
    const sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.media = 'not all';
    sheet.href = base + style;
    sheet.onload = () => {
      for (const own of document.querySelectorAll('main a[href^="/"]')) own.href = base + own.getAttribute('href').slice(1);
      link.href = base + home;
      if (redirect !== undefined) location.replace(link.href);
    };
    sheet.onerror = () => { sheet.remove(); look(depth - 1); };
    document.head.append(sheet);
  };
  if (location.protocol !== 'file:') look(levels.length);
})();`;
