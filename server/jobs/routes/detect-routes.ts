// What a source contains, before a site is made of it.
import { z } from '@hono/zod-openapi';
import type { Api } from '../../http/api.ts';
import { jsonAnswer, jsonBody, namedObject } from '../../http/error-answers.ts';
import { ApiError, JobError } from '../../platform/errors.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { checkOperator, isSshByOperator } from '../../sites/site-routes.ts';
import { builders, siteSettingsSchema, siteSourceSchema, type SiteSource } from '../../sites/sites.ts';
import { detectDocs, docsKinds, isUsualName, type Detection } from '../../sources/detect-docs.ts';
import { listSource, type Unfollowed } from '../../sources/list-source.ts';
import { withSource } from '../worker/with-source.ts';
import { organizationRoutesOf, type AdminRouteParts } from '../../organizations/admin-route.ts';
import { addRoutes } from '../../http/route.ts';

const docsFolder = {
  folder: z.string().openapi({ description: 'Folder of the repository; empty for all of it.', example: 'docs' }),
  kind: z.enum(docsKinds).openapi({
    description:
      '`docs-json`: a folder with `docs.json` or `mint.json`. `markdown`: a folder of Markdown files. `astro`: an Astro project. `html`: a built site.',
  }),
  pages: z.int().min(0).openapi({ description: 'Markdown files, or HTML files of a built site.' }),
};

const detectionSchema = namedObject('Detection', {
  ...docsFolder,
  builder: z.enum(builders).nullable().openapi({ description: 'The builder for it; null where there is none.' }),
  message: z
    .string()
    .openapi({ description: 'What was found, and what to do.', example: 'A docs.json with 12 pages in "docs".' }),
  others: z.array(z.object(docsFolder)).openapi({ description: 'Other folders that have docs, the likeliest first.' }),
  commit: z.string().nullable().openapi({ description: 'Commit of a git source.' }),
});

export type DetectionAnswer = z.infer<typeof detectionSchema>;

interface DetectRouteParts extends AdminRouteParts {
  options: ServerOptions;
  stopping?: AbortSignal;
  /** Detections that are running. */
  running: { count: number };
}

// Each runs git.
const mostAtOnce = 2;
const longestMinutes = 1;

const route = organizationRoutesOf<DetectRouteParts>('Sites');

export function addDetectRoutes(api: Api, parts: Omit<DetectRouteParts, 'running'>): void {
  addRoutes(api, { ...parts, running: { count: 0 } }, { detectSource });
}

interface Detecting {
  organization: string;
  sshByOperator: true | undefined;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
}

const detectSource = route('post /v1/detect', {
  summary: 'Detect what a source contains',
  description:
    'Looks at the names of the files of a repository or folder, without executing or storing anything: whether they are a docs folder, an Astro project or a built site, and which folders have docs. A source that cannot be read is refused with the reason (`SourceNotReadable`).',
  scope: 'write',
  body: jsonBody(
    z
      .strictObject({ source: siteSourceSchema })
      .openapi('SourceToDetect', { example: { source: { type: 'git', url: 'https://git.example.com/docs.git' } } }),
  ),
  answers: { 200: jsonAnswer('What was found.', detectionSchema) },
  errors: [429],
  async handle({ parts, context, key, organization, body: { source } }) {
    checkOperator(parts, key, source, siteSettingsSchema.parse({}));
    const { running } = parts;
    if (running.count >= mostAtOnce)
      throw new ApiError('TooManyRequests', 'The server is already looking at other sources. Try again in 5 s.', {
        headers: { 'retry-after': '5' },
      });
    running.count++;
    try {
      const sshByOperator = isSshByOperator(source, key);
      return await detect(parts, source, { organization, sshByOperator, signal: context.req.raw.signal });
    } finally {
      running.count--;
    }
  },
});

async function detect(
  parts: DetectRouteParts,
  source: SiteSource,
  { organization, sshByOperator, signal }: Detecting,
): Promise<DetectionAnswer> {
  const settings = { ...siteSettingsSchema.parse({}), sshByOperator };
  const until = parts.stopping ? AbortSignal.any([signal, parts.stopping]) : signal;
  const { files, unfollowed, commit } = await withSource(parts, { organization, settings }, until, (context) => {
    const minutes = Math.min(context.limits.minutes, longestMinutes);
    return listSource(source, { ...context, limits: { ...context.limits, minutes } });
  }).catch((error: unknown) => {
    throw error instanceof JobError ? new ApiError('SourceNotReadable', error.message, { cause: error }) : error;
  });
  const asked = source.type === 'git' ? source.folder : undefined;
  const { exists, ...found } = detectDocs(files, asked);
  return {
    ...found,
    builder: builderOf[found.kind],
    message: [messageOf({ exists, ...found }, source), ...notesOn(unfollowed, asked)].join(' '),
    commit: commit ?? null,
  };
}

const builderOf = { 'docs-json': 'docs', markdown: 'docs', astro: 'astro', html: 'html', none: null } as const;

const mostNotes = 3;

/** What the asked folder is, or folders that may have docs, if a job does not follow them. */
function notesOn(unfollowed: Unfollowed[], asked = ''): string[] {
  const isMeant = ({ path }: Unfollowed) => (asked === '' ? isUsualName(path) : `${asked}/`.startsWith(`${path}/`));
  return unfollowed
    .filter(isMeant)
    .slice(0, mostNotes)
    .map(({ path, kind }) =>
      kind === 'submodule'
        ? `"${path}" is a submodule, whose files are not fetched: register its own repository.`
        : `"${path}" is a symbolic link, which is not followed: name the folder it links to.`,
    );
}

function messageOf({ folder, kind, pages, exists, others }: Detection, source: SiteSource): string {
  const where = folder === '' ? 'at the top' : `in "${folder}"`;
  const count = `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  const elsewhere = others.length === 0 ? '' : ` There are docs in ${others.map((other) => `"${other.folder}"`).join(', ')}.`;
  const name = source.type === 'git' ? source.url : source.path;
  if (!exists)
    return folder === '' ? `${name} has no files yet. Add docs, and look again.` : `There is no folder "${folder}".${elsewhere}`;
  if (kind === 'docs-json') return `A docs.json with ${count} ${where}.`;
  if (kind === 'markdown') return `A folder of Markdown with ${count} ${where}.`;
  if (kind === 'astro')
    return `An Astro project ${where}, whose code runs when it is exported: this requires the scope "operator".`;
  if (kind === 'html')
    return `A built site of ${count} ${where}, whose scripts run on its pages: this requires the scope "operator".${elsewhere}`;
  return `There are no docs ${where}: neither docs.json, nor Markdown, nor an Astro project.${elsewhere}`;
}
