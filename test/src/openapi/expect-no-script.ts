import { expect } from 'vitest';
import { readHtml } from '../../../integration/html/read-html.ts';

/** Expects that nothing of a page in which strings call `boom` runs. */
export function expectNoScript(html: string): void {
  const names = new Set<string>();
  const attributes: string[] = [];
  readHtml(html, {
    open(tag) {
      names.add(tag.name);
      for (const { name, value } of tag.attributes)
        if (/^on/i.test(name) || (/javascript:/i.test(value ?? '') && !/^(?:id$|aria-label|data-)/.test(name)))
          attributes.push(`${name}=${value}`);
    },
    close() {},
    text() {},
  });
  expect(html).toContain('boom');
  expect([...names].filter((name) => /script|boom|iframe|object|embed/.test(name))).toEqual([]);
  expect(attributes).toEqual([]);
}
