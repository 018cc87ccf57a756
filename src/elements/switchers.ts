import { currentPage, loadSite, loadVariants, pageUrl, pathOf } from '../../integration/reader/core/site.ts';
import { counterpart } from '../../integration/reader/counterpart.ts';

/** Points each entry of the language and version menus to the page being read, where that language or version has it. */
export function upgradeSwitchers(): void {
  let started = false;
  document.addEventListener(
    'toggle',
    (event) => {
      if (started || !(event.target instanceof HTMLDetailsElement) || !event.target.matches('.switcher')) return;
      started = true;
      void upgradeLinks();
    },
    // `toggle` does not bubble.
    { capture: true },
  );
}

async function upgradeLinks(): Promise<void> {
  const site = await loadSite();
  const variants = await loadVariants(site);
  for (const menu of document.querySelectorAll('.switcher .menu')) {
    const links = [...menu.querySelectorAll('a')];
    const active = links.find((link) => link.hasAttribute('aria-current'));
    const current = active ? pathOf(site, active.href) : null;
    for (const link of links) {
      const page = counterpart(currentPage(site), { current, wanted: pathOf(site, link.href) }, variants);
      if (page !== null) link.href = pageUrl(site, page);
    }
  }
}
