// The tables and functions in a database, as numbered migrations. One that was released is never changed: a change is a new number.

/** An event for people and functions. Text of PostgreSQL cannot have the characters that are left out: zero, and half of a pair. */
function legible(body: string): string {
  return String.raw`regexp_replace(${body}::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g')::json`;
}

/** The tables of logs and their leases, and the functions through which they are written. */
const LOGS = `
create schema if not exists chatform;
create table chatform.migration (number int primary key, at timestamptz not null default clock_timestamp());

-- The clock of leases and of budgets.
create function chatform.now() returns timestamptz language sql volatile as 'select clock_timestamp()';

-- A log, and its lease: of a ledger, or of a run over several targets.
create table chatform.log (
  id bigint generated always as identity primary key,
  project text not null,
  kind text not null check (kind in ('ledger', 'run')),
  name text not null,
  head bigint not null default 0,       -- seq of the last event
  compacted bigint not null default 0,  -- events up to it were reduced
  generation bigint not null default 0, -- of the lease; 0: never held
  run text,
  holder json,
  since timestamptz,
  renewed timestamptz,
  until timestamptz,                    -- null: given back
  request json,                         -- of a run: what it was asked to do
  schedule text,                        -- of a run that workers began: the rule that was due
  cancel json,                          -- of a run: the request of a person to cancel it
  round int not null default 0,         -- of a run: how often a person went on with it
  failures int not null default 0,      -- of a run: how often a job of it failed
  unique (project, kind, name)
) with (fillfactor = 50);

create table chatform.event (
  log bigint not null references chatform.log on delete cascade,
  seq bigint not null,
  run text not null,
  at timestamptz not null default clock_timestamp(),
  body json not null,                   -- as text, so that it is the line of a file
  primary key (log, seq)
);

-- What happened to every license, for people with SQL.
create view chatform.history as
  select l.project, l.name as target, e.seq, (e.clean ->> 'at')::timestamptz as at, e.clean ->> 'type' as type,
         e.clean ->> 'address' as address, e.clean -> 'by' as by, e.clean as event
    from chatform.log l
    cross join lateral (
      select seq, ${legible('body')} as clean
        from chatform.event where log = l.id
    ) e
   where l.kind = 'ledger';

-- The work of a run on its targets: which was begun, and which failed.
create table chatform.job (
  run bigint not null references chatform.log on delete cascade,
  target text not null,
  attempt int not null,
  failed json,                          -- its end, where that counts against a limit of the run
  primary key (run, target, attempt)
);

-- A job begins only in a run that is as the job knows it: not cancelled, with so many failures, and none of them its own. A transaction that changes
-- that waits for this one, or this one for it: no job begins after a request to cancel, or a failure, was committed.
create function chatform.begin_job(p_project text, p_run text, p_target text, p_attempt int, p_failures int) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r chatform.log%rowtype;
begin
  select * into r from chatform.log where project = p_project and kind = 'run' and name = p_run for share;
  if r.id is null or r.cancel is not null or r.failures <> p_failures or exists (
    select from chatform.job where run = r.id and target = p_target and attempt = p_attempt and failed is not null
  ) then
    raise exception 'the run is another than the job knows' using errcode = 'CF004';
  end if;
  insert into chatform.job (run, target, attempt) values (r.id, p_target, p_attempt) on conflict do nothing;
end $$;

create function chatform.fail_job(p_project text, p_run text, p_target text, p_attempt int, p_end json) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  own bigint;
begin
  update chatform.log set failures = failures + 1
   where project = p_project and kind = 'run' and name = p_run returning id into own;
  update chatform.job set failed = p_end where run = own and target = p_target and attempt = p_attempt;
end $$;

-- Compare and swap of a lease. Makes the log with its first generation. p_job: what begins with the lease, for begin_job; null for nothing.
create function chatform.replace_lease(
  p_project text, p_kind text, p_name text, p_generation bigint, p_run text, p_holder json, p_ttl interval, p_job json
) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_generation = 1 then
    insert into chatform.log (project, kind, name) values (p_project, p_kind, p_name) on conflict do nothing;
  end if;
  update chatform.log l
     set generation = p_generation, run = p_run, holder = p_holder, renewed = t.now, until = t.now + p_ttl,
         since = case when l.run = p_run then l.since else t.now end
    from (select chatform.now() as now) t
   where l.project = p_project and l.kind = p_kind and l.name = p_name and l.generation = p_generation - 1;
  if not found then
    return false;
  end if;
  if p_job is not null then
    perform chatform.begin_job(
      p_project, p_job ->> 'run', p_job ->> 'target', (p_job ->> 'attempt')::int, (p_job ->> 'failures')::int);
  end if;
  return true;
end $$;

-- The row of the lease is that of the head, so appends and take-overs wait for each other. p_head: the head that the writer knows.
create function chatform.held_log(
  p_project text, p_kind text, p_name text, p_run text, p_head bigint, p_need interval, p_count int
) returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  l chatform.log%rowtype;
begin
  select * into l from chatform.log where project = p_project and kind = p_kind and name = p_name for no key update;
  if l.run is distinct from p_run then
    raise exception 'another run holds it' using errcode = 'CF001', detail = l.holder::text;
  elsif l.head <> p_head then
    raise exception 'another writer was there' using errcode = 'CF002', detail = l.head::text;
  elsif p_need is not null and coalesce(l.until <= chatform.now() + p_need, true) then
    raise exception 'it ends at %', coalesce(l.until::text, 'once') using errcode = 'CF003';
  end if;
  update chatform.log set head = head + p_count where id = l.id;
  return l.id;
end $$;

-- p_need: how long the request takes that an event announces; null for an outcome, which a run may state until another one took over.
create function chatform.append(
  p_project text, p_kind text, p_name text, p_run text, p_head bigint, p_need interval, p_bodies text[]
) returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  own bigint := chatform.held_log(p_project, p_kind, p_name, p_run, p_head, p_need, cardinality(p_bodies));
begin
  insert into chatform.event (log, seq, run, body)
    select own, p_head + n, p_run, body::json from unnest(p_bodies) with ordinality u (body, n);
  return p_head + cardinality(p_bodies);
end $$;

-- All events at once. The head never goes back, so a writer that missed it is refused.
create function chatform.rewrite(
  p_project text, p_kind text, p_name text, p_run text, p_head bigint, p_bodies text[]
) returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  new_head bigint := greatest(p_head + 1, cardinality(p_bodies));
  own bigint := chatform.held_log(p_project, p_kind, p_name, p_run, p_head, null, (new_head - p_head)::int);
begin
  delete from chatform.event where log = own;
  insert into chatform.event (log, seq, run, body)
    select own, new_head - cardinality(p_bodies) + n, p_run, body::json from unnest(p_bodies) with ordinality u (body, n);
  update chatform.log set compacted = new_head - cardinality(p_bodies) where id = own;
  return new_head;
end $$;

-- What drift checks of a target remember.
create table chatform.sightings (
  project text not null,
  target text not null,
  body json not null,                   -- as text
  primary key (project, target)
);

-- p_body: null to forget them.
create function chatform.keep_sightings(p_project text, p_target text, p_body json) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_body is null then
    delete from chatform.sightings where project = p_project and target = p_target;
  else
    insert into chatform.sightings (project, target, body) values (p_project, p_target, p_body)
      on conflict (project, target) do update set body = excluded.body;
  end if;
end $$;

-- The workers of the engine: a row is live as long as its worker renews it.
create table chatform.worker (
  id text primary key,
  state json not null,
  since timestamptz not null default clock_timestamp(),
  until timestamptz not null
);

create function chatform.keep_worker(p_id text, p_state json, p_ttl interval) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into chatform.worker (id, state, until) values (p_id, p_state, clock_timestamp() + p_ttl)
  on conflict (id) do update set state = excluded.state, until = excluded.until;
  delete from chatform.worker where until < clock_timestamp() - interval '1 day';
$$;

create function chatform.drop_worker(p_id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from chatform.worker where id = p_id;
$$;

-- The requests of all clients with one token, by a digest of it.
create table chatform.budget (
  key text primary key,
  whole timestamptz, -- when the requests that were granted or promised are made up for
  opens timestamptz  -- the service refuses requests until then
);

-- No request before that time has passed, or as long as an earlier call said; null: no change, but the row is there.
create function chatform.close_budget(p_key text, p_for interval) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into chatform.budget as b (key, opens) values (p_key, chatform.now() + p_for)
    on conflict (key) do update set opens = greatest(b.opens, excluded.opens);
  delete from chatform.budget where key in (
    select key from chatform.budget where greatest(whole, opens) < chatform.now() - interval '1 day' for update skip locked
  );
$$;

-- How many of p_count requests may be sent now. One more is promised if they are not all of them: at due, for which the caller waits so many milliseconds,
-- and then asks for it with p_due. So clients take turns, however far from the server they are. p_rate null: no limit, unless the budget is closed.
create function chatform.take_requests(
  p_key text, p_rate float8, p_count int, p_due timestamptz, out granted int, out due timestamptz, out wait float8
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  b chatform.budget%rowtype;
  t timestamptz;
  burst float8 := greatest(1, floor(p_rate / 5));
  pace interval := interval '1 s' / p_rate;
  promised int := 0;
begin
  select * into b from chatform.budget where key = p_key;
  if p_rate is null then
    wait := greatest(0, extract(epoch from b.opens - chatform.now()) * 1000);
    granted := case when wait > 0 then 0 else p_count end;
    return;
  end if;
  if not found then
    perform chatform.close_budget(p_key, null);
  end if;
  select * into b from chatform.budget where key = p_key for no key update;
  t := chatform.now();
  -- A promise is void after a refusal, and after a second without the question for it.
  if p_due >= coalesce(b.opens, p_due) and p_due > t - interval '1 s' then
    due := p_due;
  end if;
  -- After a refusal the requests go on at the rate, without a burst.
  b.whole := greatest(t, b.whole, b.opens + (burst - 1) * pace);
  if b.opens > t then
    granted := 0;
  else
    if due <= t then
      promised := 1;
      due := null;
    end if;
    granted := least(p_count, promised + greatest(0, floor(burst - extract(epoch from b.whole - t) * p_rate + 1e-6)));
    b.whole := b.whole + (granted - promised) * pace;
  end if;
  if granted < p_count and due is null then
    due := greatest(t, b.opens, b.whole + (1 - burst) * pace);
    b.whole := b.whole + pace;
  end if;
  wait := extract(epoch from due - t) * 1000;
  -- A server that crashes forgets less than a second of requests, and takes longer to be back.
  perform set_config('synchronous_commit', 'off', true);
  update chatform.budget set whole = b.whole where key = p_key;
end $$;

-- The approved plans of a run that is not over.
create table chatform.fleet_plan (
  run bigint not null references chatform.log on delete cascade,
  target text not null,
  body text not null,
  primary key (run, target)
);

-- A run is there with its request, its plans and its first event, or not at all.
create function chatform.begin_run(
  p_project text, p_name text, p_schedule text, p_request json, p_first text, p_targets text[], p_plans text[]
) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  own bigint;
begin
  insert into chatform.log (project, kind, name, head, schedule, request)
    values (p_project, 'run', p_name, 1, p_schedule, p_request) on conflict do nothing returning id into own;
  if own is null then
    return; -- The reply to the first try was lost, or another worker began the same run of a schedule.
  end if;
  insert into chatform.event (log, seq, run, body) values (own, 1, p_name, p_first::json);
  insert into chatform.fleet_plan (run, target, body) select own, target, body from unnest(p_targets, p_plans) u (target, body);
end $$;

-- Deletes the runs that ended long ago. Of those of a schedule, the newest stays longer: it says which period has its run.
create function chatform.forget_runs() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from chatform.log l using chatform.event e
   where l.kind = 'run' and e.log = l.id and e.seq = l.head
     and ${legible('e.body')} ->> 'type' in ('done', 'stopped')
     and ${legible('e.body')} -> 'because' ->> 'kind' is distinct from 'interrupted' -- Such a run goes on by itself.
     and (e.at < chatform.now() - interval '400 days'
       or e.at < chatform.now() - interval '14 days'
         and exists (select from chatform.log n where n.project = l.project and n.schedule = l.schedule and n.id > l.id));
$$;

create function chatform.cancel_run(p_project text, p_name text, p_cancel json) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update chatform.log set cancel = p_cancel where project = p_project and kind = 'run' and name = p_name;
$$;

-- A person goes on with a run.
create function chatform.reopen_run(p_project text, p_name text) returns int
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update chatform.log set cancel = null, round = round + 1 where project = p_project and kind = 'run' and name = p_name
    returning round;
$$;

-- Of a run of which nothing is left.
create function chatform.forget_plans(p_project text, p_name text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from chatform.fleet_plan
   where run = (select id from chatform.log where project = p_project and kind = 'run' and name = p_name);
  delete from chatform.job
   where run = (select id from chatform.log where project = p_project and kind = 'run' and name = p_name);
$$;
`;

/** What every migration ends with. A role is of the whole server, and to make one needs a right of its own. */
export const ROLES = `
do $$
declare
  wanted text;
begin
  foreach wanted in array array['chatform_apply', 'chatform_read'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin', wanted);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then continue;
      end;
    end if;
    execute format('grant usage on schema chatform to %I', wanted);
    execute format('grant select on all tables in schema chatform to %I', wanted);
    execute format('grant execute on function chatform.now() to %I', wanted);
    -- To read a license is also a request.
    execute format('grant execute on function chatform.take_requests(text, float8, int, timestamptz) to %I', wanted);
    execute format('grant execute on function chatform.close_budget(text, interval) to %I', wanted);
  end loop;
  revoke execute on all functions in schema chatform from public;
  if exists (select from pg_roles where rolname = 'chatform_apply') then
    grant execute on all functions in schema chatform to chatform_apply;
    -- Only a part of others: alone, it would make a hole.
    revoke execute on function chatform.held_log(text, text, text, text, bigint, interval, int) from chatform_apply;
  end if;
end $$;
`;

/** In their order; the first has number 1. */
export const MIGRATIONS: readonly string[] = [LOGS];
