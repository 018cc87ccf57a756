import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** An axe run over a page that finds violations; what passes is not described, which takes most of axe's time. */
export function axeOf(page: Page, options: { preload?: false } = {}): AxeBuilder {
  const axe = new AxeBuilder({ page }).options({ ...options, resultTypes: ['violations'] });
  // The other mode opens a second page to join the results of frames.
  return page.frames().length === 1 ? axe.setLegacyMode() : axe;
}
