-- Carrel backup, format 1, migration 7
-- Bring it back with: carrel restore FILE
begin;
create schema carrel;
create table carrel.migrations (number integer primary key, applied_at timestamptz not null default now());
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
insert into carrel.migrations (number) values (1);
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
insert into carrel.migrations (number) values (2);
create index on carrel.jobs (organization) where status = 'queued';
insert into carrel.migrations (number) values (3);
create table carrel.job_reports (
    job text primary key references carrel.jobs on delete cascade,
    attempt integer not null,
    report text not null
  );
insert into carrel.migrations (number) values (4);
-- The site whose readers a key is for, made by the server itself: public, so it is kept as it is, to be given to them.
  alter table carrel.keys add column site text references carrel.sites on delete cascade, add column secret text;
  create unique index on carrel.keys (site) where revoked_at is null;
insert into carrel.migrations (number) values (5);
-- Browsers that are signed in. Not in backups: a restored server asks for a new sign-in.
  create table carrel.sessions (
    hash text primary key,
    key text not null references carrel.keys on delete cascade,
    created_at timestamptz not null,
    used_at timestamptz not null
  );
insert into carrel.migrations (number) values (6);
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
insert into carrel.migrations (number) values (7);
insert into carrel.organizations overriding system value select * from jsonb_populate_record(null::carrel.organizations, E'{"id": "Zulu", "name": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "plan": "enterprise", "created_at": "2026-11-21T10:20:30.456+00:00"}');
insert into carrel.organizations overriding system value select * from jsonb_populate_record(null::carrel.organizations, E'{"id": "alpha", "name": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "plan": "enterprise", "created_at": "2026-11-21T10:20:30.456+00:00"}');
insert into carrel.organizations overriding system value select * from jsonb_populate_record(null::carrel.organizations, E'{"id": "émile", "name": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "plan": "enterprise", "created_at": "2026-11-21T10:20:30.456+00:00"}');
insert into carrel.jobs overriding system value select * from jsonb_populate_record(null::carrel.jobs, E'{"id": "se_1", "error": null, "stage": null, "domain": "manual", "result": ["it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉"], "status": "completed", "attempt": 0, "request": {}, "progress": 12.3, "created_at": "2026-11-21T10:20:30.456+00:00", "error_code": null, "expired_at": null, "page_count": 0, "started_at": null, "updated_at": "2026-11-21T10:20:30.456+00:00", "finished_at": null, "organization": "alpha"}');
insert into carrel.jobs overriding system value select * from jsonb_populate_record(null::carrel.jobs, E'{"id": "se_2", "error": null, "stage": null, "domain": "manual", "result": ["it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉"], "status": "completed", "attempt": 0, "request": {}, "progress": 12.3, "created_at": "2026-11-21T10:20:30.456+00:00", "error_code": null, "expired_at": null, "page_count": 0, "started_at": null, "updated_at": "2026-11-21T10:20:30.456+00:00", "finished_at": null, "organization": "alpha"}');
insert into carrel.idempotency_keys overriding system value select * from jsonb_populate_record(null::carrel.idempotency_keys, E'{"job": "se_1", "key": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "created_at": "2026-11-21T10:20:30.456+00:00", "organization": "alpha", "request_hash": "hash"}');
insert into carrel.job_log overriding system value select * from jsonb_populate_record(null::carrel.job_log, E'{"at": "2026-11-21T10:20:30.456+00:00", "id": 1, "job": "se_1", "text": "1 it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉"}');
insert into carrel.job_log overriding system value select * from jsonb_populate_record(null::carrel.job_log, E'{"at": "2026-11-21T10:20:30.456+00:00", "id": 2, "job": "se_1", "text": "2 it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉"}');
insert into carrel.job_log overriding system value select * from jsonb_populate_record(null::carrel.job_log, E'{"at": "2026-11-21T10:20:30.456+00:00", "id": 3, "job": "se_1", "text": "3 it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉"}');
select setval(pg_get_serial_sequence('carrel.job_log', 'id'), 3);
insert into carrel.job_reports overriding system value select * from jsonb_populate_record(null::carrel.job_reports, E'{"job": "se_1", "report": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "attempt": 1}');
insert into carrel.sites overriding system value select * from jsonb_populate_record(null::carrel.sites, E'{"domain": "manual", "source": {"kind": "folder", "path": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉"}, "settings": {"list": [1, null, {"deep": 1000000000000000000000}]}, "active_job": null, "created_at": "2026-11-21T10:20:30.456+00:00", "updated_at": "2026-11-21T10:20:30.456+00:00", "organization": "alpha"}');
insert into carrel.events overriding system value select * from jsonb_populate_record(null::carrel.events, E'{"at": "2026-11-21T10:20:30.456+00:00", "id": 1, "path": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "type": "view", "found": false, "query": null, "answer": null, "domain": "manual", "results": null, "visitor": "hash", "referrer": null}');
select setval(pg_get_serial_sequence('carrel.events', 'id'), 1);
insert into carrel.keys overriding system value select * from jsonb_populate_record(null::carrel.keys, E'{"id": "key_1", "hash": "hash", "hint": "hint", "kind": "admin", "name": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "site": null, "scopes": ["read", "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉"], "secret": null, "domains": [], "origins": [], "addresses": [], "created_at": "2026-11-21T10:20:30.456+00:00", "expires_at": null, "revoked_at": null, "last_used_at": null, "organization": "alpha"}');
insert into carrel.keys overriding system value select * from jsonb_populate_record(null::carrel.keys, '{"id": "key_3da0eae61a95a678", "hash": "2c37bac68827c5ed1cf1efea7c2f0253db44edfd87580df3f83f5b0889ab680b", "hint": "9pJ8", "kind": "admin", "name": "Old", "site": null, "scopes": ["read", "write", "operator"], "secret": null, "domains": [], "origins": [], "addresses": [], "created_at": "2026-11-25T04:00:00+00:00", "expires_at": null, "revoked_at": null, "last_used_at": null, "organization": "alpha"}');
insert into carrel.page_feedback overriding system value select * from jsonb_populate_record(null::carrel.page_feedback, E'{"day": "2026-11-21", "path": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "domain": "manual", "comment": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "helpful": false, "visitor": "hash", "given_at": "2026-11-21T10:20:30.456+00:00"}');
insert into carrel.threads overriding system value select * from jsonb_populate_record(null::carrel.threads, '{"id": "01JD6Z0000ABCDEFGHJKMNPQRS", "key": "key_1", "domain": "manual", "created_at": "2026-11-21T10:20:30.456+00:00", "updated_at": "2026-11-21T10:20:30.456+00:00", "reader_hash": "reader", "secret_hash": "secret", "organization": "alpha"}');
insert into carrel.answers overriding system value select * from jsonb_populate_record(null::carrel.answers, E'{"id": "msg_1", "ended": "stop", "answer": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "caller": null, "thread": "01JD6Z0000ABCDEFGHJKMNPQRS", "sources": [{"title": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "number": 1}], "asked_at": "2026-11-21T10:20:30.456+00:00", "question": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "written_by": "quotes", "answered_at": "2026-11-21T10:20:30.456+00:00"}');
insert into carrel.feedback overriding system value select * from jsonb_populate_record(null::carrel.feedback, E'{"answer": "msg_1", "rating": "down", "comment": "it''s \\"quoted\\"\\\\ and \\\\n not a break\\nbut this is\\r\\n\\t$1 %L ''); drop schema carrel; -- ünï ✓ 🎉", "given_at": "2026-11-21T10:20:30.456+00:00"}');
insert into carrel.webhooks overriding system value select * from jsonb_populate_record(null::carrel.webhooks, '{"id": "wh_1", "url": "https://example.com", "events": ["job.completed"], "secret": "sealed", "created_at": "2026-11-21T10:20:30.456+00:00", "organization": "alpha"}');
commit;
-- End of the backup: 19 rows
