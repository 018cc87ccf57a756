import { currentPage, loadSite, loadVariants, pageAddress, pathOf } from '../../integration/client/site.ts';
import { counterpart } from '../../integration/client/counterpart.ts';

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
      for (const link of document.querySelectorAll<HTMLAnchorElement>('.switcher .menu a')) {
        const page = counterpart(currentPage(site), pathOf(site, link.href), variants);
        if (page !== null) link.href = pageAddress(site, page);
      }
    },
    // `toggle` does not bubble.
    { capture: true },
  );
}
