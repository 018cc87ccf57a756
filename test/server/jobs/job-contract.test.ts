import { describe, expect, test } from 'vitest';
import { checkAgainst, checkContract } from '../support/contract.ts';

const job = {
  jobId: 'se_0123456789abcdef',
  status: 'running',
  progress: 40,
  pageCount: 12,
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:01.000Z',
  error: null,
};
const path = '/v1/static-export/jobs/se_0123456789abcdef';

describe('the contract of existing callers', () => {
  test('accepts a job with additional fields, and responses of other routes', async () => {
    await checkContract('GET', path, Response.json({ ...job, stage: 'render' }));
    await checkContract('GET', path, Response.json({ ...job, status: 'failed', error: 'Broken.' }));
    await checkContract('GET', path, Response.json({ ...job, status: 'canceled' }));
    await checkContract('GET', `${path}/log`, new Response('nothing'));
    await checkContract('POST', `${path}/bundle`, Response.json({ error: 'Gone.' }, { status: 410 }));
  });

  test.each([
    ['a field that is missing', { ...job, pageCount: undefined }],
    ['an id of another form', { ...job, jobId: '17' }],
    ['an unknown status', { ...job, status: 'done' }],
    ['progress over 100', { ...job, progress: 101 }],
    ['a time that is none', { ...job, createdAt: 'yesterday' }],
    ['a failed job without error', { ...job, status: 'failed' }],
    ['an error that is an object', { ...job, status: 'failed', error: { message: 'Broken.' } }],
    ['an error of a job that goes on', { ...job, error: 'Broken.' }],
  ])('refuses %s', async (_what, body) => {
    await expect(checkContract('GET', path, Response.json(body))).rejects.toThrow('→ 200: ');
  });

  test('refuses an error without a text, an unknown status and another type', async () => {
    await expect(checkContract('GET', path, Response.json({ message: 'No.' }, { status: 404 }))).rejects.toThrow(
      "required property 'error'",
    );
    await expect(checkContract('GET', path, Response.json(job, { status: 201 }))).rejects.toThrow('no such status');
    await expect(checkContract('GET', path, new Response(JSON.stringify(job)))).rejects.toThrow('no body of type text/plain');
  });
});

test('the most specific route is used, and a path without a route is unknown', async () => {
  const answers = (value: string) => ({
    get: {
      responses: { 200: { content: { 'application/json': { schema: { const: value } } } }, 204: { description: 'Nothing.' } },
    },
  });
  const document = { paths: { '/things/{id}': answers('one'), '/things/all': answers('all') } };
  await checkAgainst(document, 'GET', '/things/all?x=1', Response.json('all'));
  await checkAgainst(document, 'GET', '/things/7', Response.json('one'));
  await checkAgainst(document, 'GET', '/things/7', new Response(null, { status: 204 }));
  await checkAgainst(document, 'GET', '/nothing', Response.json({ error: 'No.' }, { status: 404 }));
  await expect(checkAgainst(document, 'GET', '/things/7', Response.json('all'))).rejects.toThrow('must be equal to constant');
  await expect(checkAgainst(document, 'POST', '/things/7', Response.json('one'))).rejects.toThrow('no such operation');
});
