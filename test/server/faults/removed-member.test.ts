import { expect, test } from 'vitest';
import { startJob } from '../../support/server-process.ts';
import { chunk, openModelServer } from '../assistant/model-server.ts';
import { freshPostgres } from '../support/databases.ts';
import { comeBack, invite, leaveSite, signIn } from './people.ts';
import { firstExport, place, startServer } from './places.ts';

const domain = 'docs.example.com';

/** What has come of a stream, and when it ends. */
function follow(response: Response) {
  expect(response.status).toBe(200);
  let text = '';
  const read = async () => {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) text += piece;
    return performance.now();
  };
  return { text: () => text, ended: read() };
}

test('who is removed in another process loses the streams that they have open within two seconds; others keep theirs', async () => {
  await using model = await openModelServer({ steps: [chunk({ content: 'It ' }), chunk({ content: 'is ' }), 'hang'] });
  const { data } = place();
  const common = {
    ...{ DATABASE_URL: await freshPostgres(), CARREL_SECRET: 'what all processes of this test share' },
    ...{ CARREL_MODEL_URL: model.url, CARREL_MODEL: 'scripted' },
  };
  const worker = await startServer(data, { ...common, SITE: domain });
  await firstExport(worker);
  expect((await worker.request('PATCH', `/v1/sites/${domain}`, { visibility: 'members' })).status).toBe(200);
  await worker.kill();
  const [here, there] = await Promise.all([1, 2].map(() => startServer(data, { ...common, CARREL_ROLE: 'api' })));
  // No process runs it.
  const job = `/v1/static-export/jobs/${await startJob(here!, { domain })}/events`;
  const read = async (email: string) => {
    const { id, link } = await invite(there!, email);
    const session = await signIn(here!, link);
    const reader = await comeBack(await leaveSite(here!, domain, session));
    const config = await (await fetch(`${here!.sites}/sites/${domain}/carrel.config.js`, { headers: reader })).text();
    const page = { authorization: `Bearer ${/page_[\w.-]+/.exec(config)![0]}`, origin: new URL(here!.sites!).origin };
    const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'How do I run a kettle at home?' }] };
    const ask = (headers: Record<string, string>) =>
      here!.request('POST', `/discovery/v2/assistant/${domain}/message`, { fp: email, messages: [message] }, headers);
    const streams = [follow(await ask(page)), follow(await fetch(here!.address + job, { headers: session }))];
    await expect.poll(streams[0]!.text).toContain('"delta":" is"');
    await expect.poll(streams[1]!.text).toContain('"queued"');
    return { id, ask: () => ask(page), ended: Promise.all(streams.map(({ ended }) => ended)) };
  };
  const removed = await read('removed@example.com');
  const stays = await read('stays@example.com');
  let hasEnded = false;
  // The end of the test breaks them.
  stays.ended.then(
    () => (hasEnded = true),
    () => undefined,
  );

  const began = performance.now();
  expect((await there!.request('DELETE', `/v1/members/${removed.id}`)).status).toBe(204);
  for (const ended of await removed.ended) expect(ended - began).toBeLessThan(2500);
  expect((await removed.ask()).status).toBe(401);
  expect(hasEnded).toBe(false);
  expect(await model.requests[0]!.left).toBe(true);
});
