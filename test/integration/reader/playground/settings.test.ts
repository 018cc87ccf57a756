import { expect, test } from 'vitest';
import { playgroundSettings } from '../../../../integration/reader/playground/settings.ts';

const read = (playground: unknown, url = 'https://docs.example/a/') => {
  const faults: string[] = [];
  return { ...playgroundSettings({ features: { playground } }, url, (fault) => faults.push(fault)), faults: faults.length };
};

test.each([
  [undefined, 'mock', 0],
  [{ mode: 'direct' }, 'direct', 0],
  [{ mode: 'off' }, 'off', 0],
  [{ mode: 'fast' }, 'mock', 1],
  ['direct', 'mock', 1],
  [{ mode: 'direct', hosts: 'api.example' }, 'mock', 1],
  [{ mode: 'proxy' }, 'mock', 1],
  [{ mode: 'proxy', url: 'javascript:alert(1)', domain: 'docs.example' }, 'mock', 1],
  [{ mode: 'proxy', url: 'https://api.example', domain: '../x' }, 'mock', 1],
  [{ mode: 'proxy', url: 'https://api.example', domain: 'docs.example', key: 'svc_admin' }, 'mock', 1],
])('%j is the mode %s', (playground, mode, faults) => {
  expect(read(playground)).toMatchObject({ mode, faults });
});

test('a page on file:// sends nothing', () => {
  expect(read({ mode: 'direct' }, 'file:///a.html').mode).toBe('mock');
  const server = { url: '/', domain: 'docs.example' };
  expect(read({ mode: 'proxy', ...server }, 'file:///a.html')).toEqual({ mode: 'mock', hosts: undefined, faults: 0 });
});

test.each([
  [
    { url: 'https://api.example/', domain: 'docs.example', key: 'svc_dsc_1' },
    'https://api.example/v1/playground/docs.example',
    'svc_dsc_1',
  ],
  [{ url: '/carrel', domain: 'docs.example', key: '' }, 'https://docs.example/carrel/v1/playground/docs.example', undefined],
])('the server %j is at %s', (server, url, key) => {
  expect(read({ mode: 'proxy', ...server })).toMatchObject({ mode: 'proxy', proxy: { url, key }, faults: 0 });
});

test('a server is that of the assistant, unless it is named', () => {
  const assistant = { url: 'https://api.example/discovery', domain: 'docs.example', key: 'svc_dsc_1' };
  const config = { assistant, features: { playground: { mode: 'proxy' } } };
  expect(playgroundSettings(config, 'https://docs.example/', () => {}).proxy).toEqual({
    url: 'https://api.example/v1/playground/docs.example',
    key: 'svc_dsc_1',
  });
});
