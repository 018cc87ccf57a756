import { expect, test } from 'vitest';
import { bundleLazyScripts } from '../../../integration/reader-build/build-reader-scripts.ts';

test('the modules that search and Ask share are in the core alone, their texts in each script, and the loader in none', async () => {
  const { define, files } = await bundleLazyScripts();
  const names: Record<string, string> = JSON.parse(define['SCRIPTS'] ?? '');
  expect(Object.keys(names).sort()).toEqual(['ask', 'consent', 'core', 'keys', 'questions', 'record', 'search']);
  expect(Object.values(names).sort()).toEqual([...files.keys()].sort());
  const withText = (text: string) => Object.keys(names).filter((name) => files.get(names[name] ?? '')?.contents.includes(text));
  expect(withText('__carrel_script((exports,require)=>{')).toHaveLength(7);
  expect(withText('MiniSearch')).toEqual(['core']);
  expect(withText('carrel-ask`,')).toEqual(['ask']);
  expect(withText('Ask a question')).toEqual(['ask']);
  expect(withText('Recent searches')).toEqual(['search', 'keys']);
  expect(withText('sendBeacon')).toEqual(['record']);
  expect(withText('.onerror')).toEqual([]);
});
