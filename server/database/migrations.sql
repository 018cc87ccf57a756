-- The truth about organizations, keys, sites and jobs; pg-boss, in its own schema, only carries the ids of jobs.
-- Steps are only added: databases have the earlier ones.

-- Migration 1
  create table carrel.organizations (
    id text primary key,
    name text not null,
    plan text not null check (plan in ('enterprise', 'standard')),
    created_at timestamptz not null
  );

  create table carrel.keys (
    id text primary key,
    organization text not null references carrel.organizations on delete cascade,
    kind text not null check (kind in ('admin', 'assistant')),
    name text not null,
    hash text not null unique,
    hint text not null,
    scopes text[] not null,
    addresses text[] not null,
    domains text[] not null,
    origins text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
  );
  create index on carrel.keys (organization, created_at);

  create table carrel.sites (
    domain text primary key,
    organization text not null references carrel.organizations on delete cascade,
    source jsonb not null,
    settings jsonb not null,
    active_job text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create index on carrel.sites (organization, domain);

  create table carrel.jobs (
    id text primary key,
    organization text not null references carrel.organizations on delete cascade,
    domain text not null,
    request jsonb not null,
    status text not null check (status in ('queued', 'running', 'completed', 'failed', 'canceled')),
    stage text,
    progress double precision not null default 0,
    page_count integer not null default 0,
    attempt integer not null default 0,
    error text,
    error_code text,
    result jsonb,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    expired_at timestamptz
  );
  create index on carrel.jobs (organization, created_at desc, id desc);
  create index on carrel.jobs (domain, created_at desc);
  create index on carrel.jobs (status) where status in ('queued', 'running');

  create table carrel.job_log (
    job text not null references carrel.jobs on delete cascade,
    id bigint generated always as identity,
    at timestamptz not null,
    text text not null,
    primary key (job, id)
  );

  create table carrel.idempotency_keys (
    organization text not null references carrel.organizations on delete cascade,
    key text not null,
    request_hash text not null,
    job text not null references carrel.jobs on delete cascade,
    created_at timestamptz not null,
    primary key (organization, key)
  );

  create table carrel.webhooks (
    id text primary key,
    organization text not null references carrel.organizations on delete cascade,
    url text not null,
    events text[] not null,
    secret text not null,
    created_at timestamptz not null
  );
  create index on carrel.webhooks (organization);

-- Migration 2
  create table carrel.threads (
    id text primary key,
    organization text not null references carrel.organizations on delete cascade,
    domain text not null,
    key text not null,
    reader_hash text not null,
    secret_hash text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create index on carrel.threads (organization, domain, id desc);
  create index on carrel.threads (updated_at);

  create table carrel.answers (
    id text primary key,
    thread text not null references carrel.threads on delete cascade,
    question text not null,
    answer text not null default '',
    sources jsonb not null default '[]',
    ended text,
    written_by text,
    asked_at timestamptz not null,
    answered_at timestamptz
  );
  create index on carrel.answers (thread, asked_at, id);

  create table carrel.feedback (
    answer text primary key references carrel.answers on delete cascade,
    rating text not null check (rating in ('up', 'down')),
    comment text,
    given_at timestamptz not null
  );
  create index on carrel.feedback (given_at);

  -- What is counted for a while only, at every request: not worth a write-ahead log, nor a place in backups.
  create unlogged table carrel.counts (
    subject text not null,
    ends_at timestamptz not null,
    count integer not null,
    primary key (subject, ends_at)
  );
  create index on carrel.counts (ends_at);

-- Migration 3
  create index on carrel.jobs (organization) where status = 'queued';

-- Migration 4
  create table carrel.job_reports (
    job text primary key references carrel.jobs on delete cascade,
    attempt integer not null,
    report text not null
  );

-- Migration 5
  -- The site whose readers a key is for, made by the server itself: public, so it is kept as it is, to be given to them.
  alter table carrel.keys add column site text references carrel.sites on delete cascade, add column secret text;
  create unique index on carrel.keys (site) where revoked_at is null;

-- Migration 6
  -- Browsers that are signed in. Not in backups: a restored server asks for a new sign-in.
  create table carrel.sessions (
    hash text primary key,
    key text not null references carrel.keys on delete cascade,
    created_at timestamptz not null,
    used_at timestamptz not null
  );

-- Migration 7
  -- What readers do on pages. A visitor is a hash with the salt of the day, which is deleted afterward.
  create table carrel.events (
    id bigint generated always as identity primary key,
    domain text not null references carrel.sites on delete cascade,
    at timestamptz not null,
    type text not null check (type in ('view', 'search', 'question')),
    visitor text not null,
    -- The page of a view or a question, the clicked page of a search.
    path text,
    -- Whether the site has the page of a view.
    found boolean,
    referrer text,
    query text,
    results integer,
    answer text check (answer in ('model', 'quotes', 'none'))
  );
  create index on carrel.events (domain, type, at);
  create index on carrel.events (at);

  create table carrel.page_feedback (
    domain text not null references carrel.sites on delete cascade,
    path text not null,
    day date not null,
    visitor text not null,
    helpful boolean not null,
    comment text,
    given_at timestamptz not null,
    primary key (domain, path, day, visitor)
  );
  create index on carrel.page_feedback (given_at);

  -- Not in backups, which would keep the salts of past days.
  create unlogged table carrel.visitor_salts (
    day date primary key,
    salt text not null
  );

  alter table carrel.answers add column caller text check (caller in ('web', 'api'));

-- Migration 8
  -- When the source of a site is looked at again; null without a schedule.
  alter table carrel.sites add column next_check_at timestamptz;
  create index on carrel.sites (next_check_at) where next_check_at is not null;

  -- Secrets of the services that report pushes to a repository.
  create table carrel.push_hooks (
    domain text not null references carrel.sites on delete cascade,
    service text not null check (service in ('github', 'gitlab', 'gitea', 'generic')),
    secret text not null,
    created_at timestamptz not null,
    primary key (domain, service)
  );

-- Migration 9
  -- What a list of sessions shows. No answer contains the hash, so a session needs a name.
  alter table carrel.sessions add column id text, add column address text not null default '', add column agent text not null default '';
  update carrel.sessions set id = 'ses_' || left(md5(hash), 16);
  alter table carrel.sessions alter column id set not null, add unique (id);

  -- Links that sign a browser in, once. Not in backups.
  create table carrel.session_links (
    hash text primary key,
    key text not null references carrel.keys on delete cascade,
    expires_at timestamptz not null,
    used_at timestamptz
  );

  -- Who did what. It outlives what it names, so it refers to nothing; entries are added and expire, and never change.
  create table carrel.audit (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    organization text not null,
    event text not null,
    target text not null,
    key text,
    name text not null,
    session text,
    address text not null,
    request text not null
  );
  create index on carrel.audit (organization, id desc);
  create index on carrel.audit (at);
  create rule audit_is_append_only as on update to carrel.audit do instead nothing;

  -- Whether the active export stays when a newer job completes, and since when the files of an export are being removed.
  alter table carrel.sites add column pinned boolean not null default false;
  alter table carrel.jobs add column removing_at timestamptz;

-- Migration 10
  -- The pages of hosted sites have tokens that expire instead of a permanent key. Pages that were loaded before have an hour to be reloaded.
  update carrel.keys set expires_at = least(expires_at, now() + interval '1 hour') where site is not null and revoked_at is null;
  alter table carrel.keys drop column secret;
 
-- Migration 11
  -- Previews of branches: sites beside the one whose repository has the branch.
  alter table carrel.sites
    add column preview_of text references carrel.sites on delete cascade deferrable initially deferred,
    add column branch text,
    add column expires_at timestamptz,
    add check ((preview_of is null) = (branch is null) and (preview_of is null) = (expires_at is null));
  create unique index on carrel.sites (preview_of, branch);

  -- A delivery that starts no job, such as that of a deleted branch, is remembered as well.
  alter table carrel.idempotency_keys alter column job drop not null;

-- Migration 12
  -- The branches that the last scheduled check found, with their commits: { "url": "https://…", "commits": { "next": "4b82…" } }.
  alter table carrel.sites add column branches jsonb;

-- Migration 13
  -- What the receivers of webhooks answered, and what they were sent.
  create table carrel.deliveries (
    id text primary key,
    webhook text not null references carrel.webhooks on delete cascade,
    -- Keeps the order of its keys: a message that is sent again is the same.
    sent json not null,
    at timestamptz not null,
    milliseconds integer not null,
    status integer,
    excerpt text not null default '',
    error text
  );
  create index on carrel.deliveries (webhook, at desc, id desc);

  -- Models of sites that fail: since when, how often in a row, and with what in the end.
  create table carrel.model_failures (
    domain text not null references carrel.sites on delete cascade,
    model text not null,
    failures integer not null,
    since timestamptz not null,
    at timestamptz not null,
    code text not null,
    detail text not null,
    primary key (domain, model)
  );

  -- Answers of models on a UTC day, with their tokens.
  create table carrel.model_use (
    organization text not null references carrel.organizations on delete cascade,
    day date not null,
    answers integer not null,
    input bigint not null,
    output bigint not null,
    primary key (organization, day)
  );

-- Migration 14
  -- The services whose pushes are known are those of the program.
  alter table carrel.push_hooks drop constraint push_hooks_service_check;

-- Migration 15
  -- Members: keys without a usable secret, with the address of a person.
  alter table carrel.keys add column email text, add column created_by text, add column groups text[] not null default '{}';
  alter table carrel.keys add column oidc_subject text, add column oidc_role boolean not null default false;
  create unique index on carrel.keys (organization, oidc_subject) where oidc_subject is not null and revoked_at is null;
  alter table carrel.session_links add column created_by text;
  create unique index on carrel.keys (organization, email) where email is not null and revoked_at is null;

  create table carrel.passkeys (
    -- As the authenticator names it, in base64url.
    id text primary key,
    key text not null references carrel.keys on delete cascade,
    name text not null,
    public_key text not null,
    counter bigint not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  );
  create index on carrel.passkeys (key);

  -- What a browser has to sign next, by the hash of it and of the browser.
  create table carrel.challenges (
    hash text primary key,
    -- For a new passkey of this member; null to sign in.
    key text references carrel.keys on delete cascade,
    expires_at timestamptz not null
  );

-- Migration 16
  -- Whether nothing shows yet that the domain belongs to the organization; of sites from before, it is assumed.
  alter table carrel.sites add column unproven boolean not null default false;

-- Migration 17
  -- Whether members sign in through the OpenID Connect provider alone, and which sessions and links come from there.
  alter table carrel.organizations add column oidc_required boolean not null default false;
  alter table carrel.session_links add column oidc boolean not null default false;
  alter table carrel.sessions add column oidc boolean not null default false;

-- Migration 18
  -- Sites that a member may change, whatever their role.
  alter table carrel.keys add column editor_of text[] not null default '{}';
