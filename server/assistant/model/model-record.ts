// What the models of sites did: those that fail, and the tokens that they used.
import type { Queryable } from '../../database/database.ts';
import type { Logger } from '../../platform/log.ts';
import type { ModelFailed } from './model-outcome.ts';

export interface ModelFailure {
  domain: string;
  model: string;
  /** In a row. */
  failures: number;
  since: Date;
  at: Date;
  /** Of the last one. */
  code: string;
  detail: string;
}

interface Site {
  domain: string;
  organization: string;
}

export type ModelRecord = ReturnType<typeof createModelRecord>;

interface ModelRecordParts {
  database: Queryable;
  now: () => number;
  log: Pick<Logger, 'error'>;
  /** Sends an event to the webhooks of an organization, once for each `subject`. */
  notify(message: { organization: string; event: string; subject: string; at: number; data: object }): Promise<void>;
}

/** A single failure may be the network's; after so many in a row, webhooks are called, and again when the model answers. */
const reportedFrom = 3;

const columns = 'domain, model, failures, since, at, code, detail';

export function createModelRecord({ database, now, log, notify }: ModelRecordParts) {
  return {
    /** Never rejects: the answer does not depend on it. */
    failed: (site: Site, model: string, { code, detail }: ModelFailed): Promise<void> =>
      unhindered(site, async () => {
        const [failure] = await database.query<ModelFailure>(
          `insert into carrel.model_failures as known (domain, model, failures, since, at, code, detail)
           select domain, $2, 1, $3::timestamptz, $3::timestamptz, $4, $5 from carrel.sites where domain = $1
           on conflict (domain, model) do update
             set failures = known.failures + 1, at = excluded.at, code = excluded.code, detail = excluded.detail
           returning ${columns}`,
          [site.domain, model, new Date(now()), code, detail],
        );
        if (failure?.failures === reportedFrom) await report('model.failed', site, failure);
      }),

    /** Never rejects, as `failed`. */
    answered: (site: Site, model: string, tokens: { input: number; output: number }): Promise<void> =>
      unhindered(site, async () => {
        await database.query(
          `insert into carrel.model_use as known (organization, day, answers, input, output)
           select id, $2::date, 1, $3::bigint, $4::bigint from carrel.organizations where id = $1
           on conflict (organization, day) do update
             set answers = known.answers + 1, input = known.input + excluded.input, output = known.output + excluded.output`,
          [site.organization, dayBefore(0), tokens.input, tokens.output],
        );
        const statement = `delete from carrel.model_failures where domain = $1 and model = $2 returning ${columns}`;
        const [failure] = await database.query<ModelFailure>(statement, [site.domain, model]);
        if (failure && failure.failures >= reportedFrom) await report('model.recovered', site, failure);
      }),

    /** The models of an organization's sites whose last answer failed. */
    failing: (organization: string): Promise<ModelFailure[]> =>
      database.query<ModelFailure>(
        `select ${columns} from carrel.model_failures join (select domain from carrel.sites where organization = $1) own using (domain)
         order by domain, model`,
        [organization],
      ),

    /** Answers and tokens of the past `days`, with today. */
    async used(organization: string, days: number): Promise<{ answers: number; input: number; output: number }> {
      const [row] = await database.query<{ answers: number; input: number; output: number }>(
        `select coalesce(sum(answers), 0)::integer as answers, coalesce(sum(input), 0)::bigint as input,
           coalesce(sum(output), 0)::bigint as output
         from carrel.model_use where organization = $1 and day > $2::date`,
        [organization, dayBefore(days)],
      );
      return row!;
    },

    /** Removes what is older than any report. */
    async removeOld(): Promise<void> {
      await database.query('delete from carrel.model_use where day < $1::date', [dayBefore(366)]);
    },
  };

  /** A UTC day, so many days ago. */
  function dayBefore(days: number): string {
    return new Date(now() - days * 86_400_000).toISOString().slice(0, 10);
  }

  async function report(event: string, { organization }: Site, { since, at, ...failure }: ModelFailure): Promise<void> {
    const data = { ...failure, since: since.toISOString(), failedAt: at.toISOString() };
    await notify({ organization, event, subject: `${event} ${JSON.stringify(data)}`, at: now(), data });
  }

  function unhindered({ domain }: Site, work: () => Promise<void>): Promise<void> {
    return work().catch((err: unknown) => log.error({ err, domain }, 'what a model did could not be recorded'));
  }
}
