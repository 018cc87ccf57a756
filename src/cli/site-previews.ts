// The subcommand of `carrel site` for the previews of branches.
import type { PreviewAnswer } from '../../server/jobs/causes/preview-routes.ts';
import { openApiClient } from './api-client.ts';
import { answerOptions, sitePath, printList } from './subcommands.ts';
import { option, text, defineCommand } from './usage.ts';

export const previewSubcommands = {
  previews: defineCommand({
    usage: 'site previews DOMAIN',
    summary: 'List the previews of branches of a site, or remove one.',
    examples: [
      ['site previews my-docs', 'Branches, their URLs, and when they expire'],
      ['site previews my-docs --remove my-docs--next', 'Remove a preview'],
    ],
    options: {
      remove: option(text.optional(), 'NAME', 'Remove this preview; the next push to its branch makes it again'),
      ...answerOptions,
    },
    async run({ words: [domain], options: { remove, organization, json } }) {
      const client = openApiClient(process.env);
      if (remove !== undefined) {
        await client.request('DELETE', sitePath(domain!, organization, 'previews', remove));
        console.log(`Removed the preview ${remove}.`);
        return 0;
      }
      const { previews } = await client.json<{ previews: PreviewAnswer[] }>('GET', sitePath(domain!, organization, 'previews'));
      printList(
        previews,
        json,
        ['NAME', 'BRANCH', 'STATUS', 'EXPIRES', 'ADDRESS'],
        ({ name, branch, status, expiresAt, address }) => [name, branch, status ?? '', expiresAt, address],
      );
    },
  }),
};
