// Questions of programs about a site: `GET /guides/install.md?ask=…` and `GET /_carrel/ask?q=…`.
import type { OpenedSite } from '../active-exports/open-site.ts';

/** Answers a question from the docs of a site, as Markdown; undefined when the site has none. `page` is the path of the page that it was asked on. */
export type SiteQuoter = (
  site: OpenedSite,
  question: { text: string; page?: string; siteUrl: string },
) => Promise<string | undefined>;

interface Answering {
  base: string;
  /** Headers of every response. */
  always: Record<string, string>;
  plain(status: number, text: string, extra?: Record<string, string>): Response;
}

/** Answers the request for a path; undefined for one that asks nothing. */
export function answerQuestions(site: OpenedSite, quoter: SiteQuoter, { base, always, plain }: Answering) {
  const questions = createQuestionLimit(performance.now.bind(performance));
  return async (request: Request, path = ''): Promise<Response | undefined> => {
    const parameters = new URL(request.url).searchParams;
    const [, page] = /^(.*)\.md$/s.exec(path) ?? [];
    const text = path === askPath ? (parameters.get('q') ?? '') : page === undefined ? null : parameters.get('ask');
    if (text === null || (page !== undefined && !(await site.file(`${page}.md`)))) return undefined;
    const asked = text.trim();
    if (asked === '' || asked.length > longestQuestion) {
      return plain(400, `Send a question of 1 to ${longestQuestion} characters.`, { 'cache-control': 'no-store' });
    }
    const headers = { ...always, 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-store' };
    // The headers do not depend on the answer.
    if (request.method === 'HEAD') return new Response(null, { headers });
    if (!questions.take()) {
      const seconds = { 'retry-after': String(questions.seconds), 'cache-control': 'no-store' };
      return plain(429, `Too many questions. Try again in ${questions.seconds} s.`, seconds);
    }
    const answer = await quoter(site, { text: asked, page: page === 'index' ? '' : page, siteUrl: base });
    if (answer === undefined) return undefined;
    return new Response(`${answer}\n`, { headers });
  };
}

const askPath = '_carrel/ask';
const longestQuestion = 1000;

/** How many questions programs may ask about a site: bursts of 30, then one each second. */
function createQuestionLimit(now: () => number) {
  const most = 30;
  const milliseconds = 1000;
  let left = most;
  let at = now();
  return {
    seconds: milliseconds / 1000,
    take(): boolean {
      const added = Math.floor((now() - at) / milliseconds);
      left = Math.min(most, left + added);
      at += added * milliseconds;
      if (left === 0) return false;
      left--;
      return true;
    },
  };
}
