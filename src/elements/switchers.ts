import { currentPage, loadSite, loadVariants, pageAddress, pathOf } from '../../integration/reader/core/site.ts';
import { counterpart } from '../../integration/reader/counterpart.ts';

/** Points each choice of the language and version menus to the page being read, where that choice has it. */
export function upgradeSwitchers(): void {
  let begun = false;
  document.addEventListener(
    'toggle',
    async (event) => {
      if (begun || !(event.target instanceof HTMLDetailsElement) || !event.target.matches('.switcher')) return;
      begun = true;
      const site = await loadSite();
      const variants = await loadVariants(site);
      for (const menu of document.querySelectorAll('.switcher .menu')) {
        const links = [...menu.querySelectorAll('a')];
        const active = links.find((link) => link.hasAttribute('aria-current'));
        const current = active ? pathOf(site, active.href) : null;
        for (const link of links) {
          const page = counterpart(currentPage(site), { current, wanted: pathOf(site, link.href) }, variants);
          if (page !== null) link.href = pageAddress(site, page);
        }
      }
    },
    // `toggle` does not bubble.
    { capture: true },
  );
}
