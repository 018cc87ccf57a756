import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** An axe run that reports only violations: describing what passes takes most of axe's time. */
export function axeOf(page: Page, options: { preload?: false } = {}): AxeBuilder {
  const axe = new AxeBuilder({ page }).options({ ...options, resultTypes: ['violations'] });
  // The default mode opens a second page to merge the results of frames.
  return page.frames().length === 1 ? axe.setLegacyMode() : axe;
}
