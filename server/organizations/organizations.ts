import type { Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { createOneSecondCache } from '../platform/one-second-cache.ts';

export const plans = ['enterprise', 'standard'] as const;
type Plan = (typeof plans)[number];

export interface Organization {
  id: string;
  name: string;
  /** Static export requires `enterprise`. */
  plan: Plan;
  createdAt: Date;
}

const states = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
const stored = `status = 'completed' and expired_at is null`;

export type Usage = Record<(typeof states)[number] | 'stored' | 'bundleBytes' | 'exportBytes', number>;

export type Organizations = ReturnType<typeof createOrganizations>;

const columns = 'id, name, plan, created_at as "createdAt"';

/** Caches an organization for at most a second; changes in this process are visible immediately. */
export function createOrganizations(database: Queryable, now: () => number) {
  const recent = createOneSecondCache(async (id) => {
    const [organization] = await database.query<Organization>(`select ${columns} from carrel.organizations where id = $1`, [id]);
    return organization;
  }, now);

  return {
    get: (id: string): Promise<Organization | undefined> => recent.get(id),

    list: (): Promise<Organization[]> => database.query<Organization>(`select ${columns} from carrel.organizations order by id`),

    /** Throws `ApiError` 409 `OrganizationExists`. */
    async create({ id, name, plan }: { id: string; name: string; plan: Plan }): Promise<Organization> {
      const [organization] = await database.query<Organization>(
        `insert into carrel.organizations (id, name, plan, created_at) values ($1, $2, $3, $4)
         on conflict do nothing returning ${columns}`,
        [id, name, plan, new Date(now())],
      );
      recent.forget(id);
      if (organization) return organization;
      throw new ApiError('OrganizationExists', `The organization "${id}" already exists. Use another ID, or change that one.`);
    },

    /** Undefined when the organization does not exist. */
    async update(id: string, { name, plan }: { name?: string; plan?: Plan }): Promise<Organization | undefined> {
      const [organization] = await database.query<Organization>(
        `update carrel.organizations set name = coalesce($2, name), plan = coalesce($3, plan) where id = $1 returning ${columns}`,
        [id, name ?? null, plan ?? null],
      );
      recent.forget(id);
      return organization;
    },

    /** What an organization has used: jobs by their state, the exports that are stored, and the bytes of their bundles. */
    async usage(id: string): Promise<Usage> {
      const [row] = await database.query<Usage>(
        `select ${states.map((state) => `count(*) filter (where status = '${state}')::integer as "${state}"`).join(', ')},
           count(*) filter (where ${stored})::integer as stored,
           coalesce(sum((result->'archive'->>'sizeBytes')::bigint + coalesce((result->'books'->'epub'->>'sizeBytes')::bigint, 0)) filter (where ${stored}), 0)::bigint as "bundleBytes",
           coalesce(sum((result->>'bytes')::bigint) filter (where ${stored}), 0)::bigint as "exportBytes"
         from carrel.jobs where organization = $1`,
        [id],
      );
      return row!;
    },

    /** Takes its sites and keys away, so that nothing of it is served or can be changed. Returns its jobs that end now, and all domains of jobs. */
    async close(id: string): Promise<{ unfinished: string[]; domains: string[] }> {
      await database.query('delete from carrel.keys where organization = $1', [id]);
      await database.query('delete from carrel.sites where organization = $1', [id]);
      const jobs = 'select id, domain, status from carrel.jobs where organization = $1';
      const found = await database.query<{ id: string; domain: string; status: string }>(jobs, [id]);
      return {
        unfinished: found.flatMap((job) => (job.status === 'queued' || job.status === 'running' ? [job.id] : [])),
        domains: [...new Set(found.map(({ domain }) => domain))],
      };
    },

    /** Removes an organization with everything in the database that belongs to it, except its audit log. */
    async remove(id: string): Promise<void> {
      await database.query('delete from carrel.organizations where id = $1', [id]);
      recent.forget(id);
    },
  };
}
