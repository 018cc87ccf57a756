import type { Page } from '@playwright/test';

/**
 * Answers all requests to other hosts, so that none leaves this machine, and returns their URLs. Scripts get the text that `scriptOf` returns
 * for their URL, everything else the JSON that `answerOf` returns, by default an empty answer.
 */
export async function answerOtherHosts(
  page: Page,
  { scriptOf = () => '', answerOf = () => ({}) }: { scriptOf?(url: URL): string; answerOf?(url: URL): object } = {},
): Promise<string[]> {
  const seen: string[] = [];
  await page.route(
    (url) => url.hostname !== '127.0.0.1' && /^https?:$/.test(url.protocol),
    async (route) => {
      const request = route.request();
      const url = new URL(request.url());
      seen.push(`${request.method()} ${url.href}`);
      const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
      if (request.resourceType() === 'script')
        await route.fulfill({ contentType: 'text/javascript', headers, body: scriptOf(url) });
      else await route.fulfill({ headers, json: answerOf(url) });
    },
  );
  return seen;
}
