import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { scriptWithSiteLocation, withSiteLocation } from '../../../integration/scripts/site-location.ts';

test.each([
  ['window.location.href = to', '__carrel_application.location.href = to'],
  ['window.location = to', '__carrel_application.location = to'],
  ['document.location?.hash', '__carrel_application.location?.hash'],
  ['globalThis . history.back()', '__carrel_application.history.back()'],
  // What has another meaning stays: other objects, keys, texts, computed names.
  ['self.location; props.location; ({ location: 1 }); "window.location"; window["location"]', undefined],
  ['link.rel = "preconnect"', 'link.rel = ""'],
  ['relation = "preconnect"', undefined],
  ['window.location.href = (', undefined],
])('%s', (code, expected = code) => {
  expect(withSiteLocation(code, 'script')).toBe(expected);
});

test('the names alone are parameters of a function around the script', () => {
  const context = { __carrel_application: { location: { pathname: '/docs/' }, history: { length: 3 } }, result: [] };
  runInNewContext(scriptWithSiteLocation('result.push(location.pathname, history.length) // end'), context);
  expect(context.result).toEqual(['/docs/', 3]);
});
