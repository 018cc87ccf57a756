import { expect, test } from 'vitest';
import { referencePage } from '../../../server/dashboard/reference-page.ts';
import { openTestServer } from '../support/services.ts';

const { api } = await openTestServer();
const description = await (await api.request('/openapi.json')).json();
const answer = await api.request('/reference');
const page = await answer.text();

test('is one page without scripts that contains every operation and every schema of the document', () => {
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page).not.toMatch(/<script|undefined|\[object|NaN/);
  const operations = Object.entries<Record<string, { summary: string }>>(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `<span class="chip">${method.toUpperCase()}</span> <code>${path}</code>`),
  );
  expect(operations.length).toBeGreaterThan(15);
  for (const operation of operations) expect(page).toContain(operation);
  const schemas = Object.keys(description.components.schemas);
  expect(schemas.length).toBeGreaterThan(10);
  for (const name of schemas) expect(page).toContain(`id="schema-${name}"`);
});

test('has no broken links', async () => {
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
  const links = [...page.matchAll(/ href="([^"]+)"/g)].map((match) => match[1]!).filter((href) => !href.startsWith('data:'));
  const inside = links.filter((href) => href.startsWith('#'));
  expect(inside.length).toBeGreaterThan(15);
  expect(inside.filter((href) => !ids.has(href.slice(1)))).toEqual([]);
  const outside = [...new Set(links.filter((href) => !href.startsWith('#')))];
  expect(outside).toContain('/openapi.json');
  for (const href of outside) expect((await api.request(href)).status, href).toBe(200);
});

test('shows requests as shell commands, with the public URL', () => {
  expect(page).toContain(
    `curl -X POST &quot;http://api.example.com/v1/static-export/jobs&quot; \\\n  -H &quot;Authorization: Bearer $CARREL_KEY&quot; \\\n  -d '{&quot;domain&quot;:&quot;docs.example.com&quot;}'`,
  );
});

test('renders the text of the document as text', () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const made = referencePage(
    {
      info: { title: hostile, version: hostile, description: hostile },
      servers: [{ url: `https://x.test/${hostile}` }],
      paths: {
        [`/${hostile}`]: {
          get: {
            tags: [hostile],
            summary: hostile,
            description: hostile,
            parameters: [{ name: hostile, in: 'query', schema: { enum: [hostile], default: hostile, format: hostile } }],
            responses: { 200: { description: hostile, content: { [hostile]: {} }, headers: { [hostile]: {} } } },
          },
        },
      },
    },
    { styles: '/style.css', openapi: '/openapi.json' },
  );
  expect(made).not.toContain('<img');
  expect(made).toContain('&lt;img');
});
