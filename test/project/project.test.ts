import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/base/model.ts';
import { secretRefusal } from '../../src/manifest/environment.ts';
import { loadProject } from '../../src/project/project.ts';
import { ROUTING_DEFAULTS } from '../../src/routing/settings.ts';
import { renderDiagnostics } from '../../src/view/terminal/diagnostics.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';

const FILE = 'team/chatform.yaml';

function load(text: string, env: { [name: string]: string } = {}) {
  return loadProject(FILE, env, memoryDisk({ [FILE]: text }));
}

function summary({ place, code }: Diagnostic): string {
  return `${place.line}:${place.column} ${code}`;
}

async function projectOf(text: string, env: { [name: string]: string } = {}) {
  const { project, diagnostics } = await load(text, env);
  expect(diagnostics).toEqual([]);
  if (project === null) throw new Error('there are no diagnostics and no project');
  return project;
}

test('What a target leaves out has its default, and paths are relative to the file', async () => {
  const project = await projectOf(`version: 1
manifest: [manifest.yaml, parts, /etc/chat]
targets:
  production: { base_url: https://api.example.com/ }
`);
  expect(project.manifest).toEqual(['team/manifest.yaml', 'team/parts', '/etc/chat']);
  expect(project.clients).toEqual([]);
  expect(project.defaultTarget).toBe('production');
  expect(project.targets.get('production')).toEqual({
    name: 'production',
    webhooksOf: new Map(),
    hasSiblings: false,
    baseUrl: 'https://api.example.com',
    apiVersion: '3.6',
    tokenEnv: 'CHATFORM_TOKEN',
    accountId: null,
    ownAgent: null,
    mayApprove: false,
    customerApiVersion: '3.6',
    customerClient: null,
    accountsUrl: null,
    reportsApiVersion: '3.6',
    reportsTokenEnv: null,
    reportsLag: 10_800_000,
    chatMark: { property: 'test/string_property', value: 'chatform test --on customer' },
    customerTokenEnv: 'CHATFORM_CUSTOMER_TOKEN',
    licenseId: null,
    organizationId: null,
    overlays: [],
    vars: {},
    labels: new Map(),
    ledger: 'team/.chatform/production.ledger.ndjson',
    localPath: 'team/.chatform/production.ledger.ndjson',
    defaultLedger: 'team/.chatform/production.ledger.ndjson',
    secrets: null,
    protect: [],
    prune: {},
    complete: [],
    pruneInstalledBots: false,
    maxDeletes: 5,
    maxDeletePercent: 20,
    acknowledge: [],
    policies: [],
    notify: { channels: [], heartbeat: null, page: null },
    drift: { failOn: 'warning', severity: [], ignore: [] },
    routing: ROUTING_DEFAULTS,
    limits: {},
    propagationTimeout: 150_000,
    requestTimeout: 30_000,
    runTimeout: 3_600_000,
    lockTimeout: 0,
    concurrency: 10,
    batchSize: 100,
    propagationDelay: null,
    plainHttp: false,
  });
});

test('Ledgers are in the database of the project, but for those of targets that name a file', async () => {
  const { project } = await load(`version: 1
manifest: [m.yaml]
ledger_store: { postgres_env: DATABASE_URL }
targets:
  a: { base_url: "emulator:a" }
  b: { base_url: "emulator:b", ledger: b.ndjson }
`);
  const [a, b] = [project?.targets.get('a'), project?.targets.get('b')];
  expect(a).toMatchObject({
    ledger: 'postgres:DATABASE_URL/chatform/a',
    localPath: expect.stringMatching(/a\.ledger\.ndjson$/),
  });
  expect(b).toMatchObject({ ledger: expect.stringMatching(/b\.ndjson$/), localPath: b?.ledger });
});

test('Everything can be set, for one target or for all, and variables are inserted', async () => {
  const project = await projectOf(
    `version: 1
manifest: [manifest.yaml]
clients: { abc: {} }
default_target: b
env: [DELETES, ACCOUNT]
defaults:
  api_version: "3.3"
  token_env: TEAM_TOKEN
  max_deletes: "\${env.DELETES}"
  request_timeout: 500ms
  limits: { agent_chats_on_create: 20, access_rules: 300 }
  drift:
    severity: [{ severity: info }]
    ignore:
      - { address: agent, path: mobile, reason: their own, until: 2027-01-31 }
  run_timeout: 10m
  propagation_delay: 1s
targets:
  b:
    base_url: emulator:state.json
    api_version: 3.6
    account_id: \${env.ACCOUNT}
    own_agent: ann@example.com
    may_approve: true
    customer_api_version: 3.3
    customer_token_env: VISITOR
    customer: { client_id: widget }
    accounts_url: https://accounts.example.com/
    reports_api_version: 3.5
    reports_token_env: REPORTS
    reports_lag: 90m
    chat_mark: { property: abc/mark }
    license_id: "\${env.CHATFORM_VAR_RULES}"
    organization_id: org-1
    overlays: [over.yaml]
    vars: { team: Sales }
    labels: { ring: canary, a/b-c_d.e: "" }
    ledger: ledgers/b.ndjson
    secrets: { file: secrets.json }
    protect: ["group/vip-*", "*"]
    prune: { agent: owned, group: none, bot: all }
    max_delete_percent: 100
    acknowledge: [property/abc/tier]
    drift:
      fail_on: error
      severity: [{ address: "group/*", kind: unmanaged, status: drift, severity: error }]
      ignore: [{ address: auto_access/eu, reason: "\${env.DELETES} times" }]
    limits: { access_rules: "\${env.CHATFORM_VAR_RULES}" }
    propagation_timeout: 2m
    concurrency: 1
    batch_size: 10
    propagation_delay: 0s..120s
  a: { base_url: "http://127.0.0.1:8080" }
`,
    { DELETES: '7', ACCOUNT: '00123', CHATFORM_VAR_RULES: '250' },
  );
  expect([...project.targets.keys()]).toEqual(['a', 'b']);
  expect(project.defaultTarget).toBe('b');
  expect(project.clients).toEqual(['abc']);
  expect(project.targets.get('b')).toEqual({
    name: 'b',
    webhooksOf: new Map(),
    hasSiblings: true,
    baseUrl: 'emulator:team/state.json',
    apiVersion: '3.6',
    tokenEnv: 'TEAM_TOKEN',
    accountId: '00123',
    ownAgent: 'ann@example.com',
    mayApprove: true,
    customerApiVersion: '3.3',
    customerClient: 'widget',
    accountsUrl: 'https://accounts.example.com',
    reportsApiVersion: '3.5',
    reportsTokenEnv: 'REPORTS',
    reportsLag: 5_400_000,
    chatMark: { property: 'abc/mark', value: 'chatform test --on customer' },
    customerTokenEnv: 'VISITOR',
    licenseId: '250',
    organizationId: 'org-1',
    overlays: ['team/over.yaml'],
    vars: { team: 'Sales' },
    labels: new Map([
      ['ring', 'canary'],
      ['a/b-c_d.e', ''],
    ]),
    ledger: 'team/ledgers/b.ndjson',
    localPath: 'team/ledgers/b.ndjson',
    defaultLedger: 'team/.chatform/b.ledger.ndjson',
    secrets: { type: 'file', path: 'team/secrets.json' },
    protect: ['group/vip-*', '*'],
    prune: { agent: 'owned', group: 'none' },
    complete: ['bot'],
    pruneInstalledBots: false,
    maxDeletes: 7,
    maxDeletePercent: 100,
    acknowledge: ['property/abc/tier'],
    policies: [],
    notify: { channels: [], heartbeat: null, page: null },
    drift: {
      failOn: 'error',
      severity: [
        { address: 'group/*', kind: 'unmanaged', status: 'drift', severity: 'error' },
        { address: null, kind: null, status: null, severity: 'info' },
      ],
      ignore: [
        {
          address: 'auto_access/eu',
          path: null,
          reason: '7 times',
          until: null,
          place: expect.objectContaining({ line: 47 }),
        },
        {
          address: 'agent',
          path: 'mobile',
          reason: 'their own',
          until: '2027-01-31',
          place: expect.objectContaining({ line: 15 }),
        },
      ],
    },
    routing: ROUTING_DEFAULTS,
    limits: { agent_chats_on_create: 20, access_rules: 250 },
    propagationTimeout: 120_000,
    requestTimeout: 500,
    runTimeout: 600_000,
    lockTimeout: 0,
    concurrency: 1,
    batchSize: 10,
    propagationDelay: { from: 0, to: 120_000 },
    plainHttp: false,
  });
  expect(project.targets.get('a')).toMatchObject({ apiVersion: '3.3', maxDeletes: 7, propagationDelay: null });
});

test('A token may travel in the clear on this machine, and elsewhere where that is said to be meant', async () => {
  const near = ['localhost:8080', 'shop.localhost', '127.8.0.1/api', '0x7f.1', '[::1]:80'].map(
    (host, index) => `  near${index}: { base_url: "http://${host}", token_env: NEAR_${index} }`,
  );
  const { targets } = await projectOf(`version: 1
manifest: [m]
targets:
${near.join('\n')}
  far: { base_url: "http://chat.test", plain_http: true }
`);
  expect([...targets.values()].map(({ plainHttp }) => plainHttp)).toEqual([true, ...near.map(() => false)]);
});

test('With several targets and no default, commands have to be told', async () => {
  const project = await projectOf(
    'version: 1\nmanifest: [m]\ntargets: { a: { base_url: "emulator:a" }, b: { base_url: "emulator:b" } }\n',
  );
  expect(project.defaultTarget).toBeNull();
});

test('Secrets go to a file, to an env file or to a command, which runs beside chatform.yaml', async () => {
  const targets = {
    json: '{ file: a/secrets.json }',
    env: '{ env_file: .env }',
    vault: '[vault, kv, put]',
  };
  const project = await projectOf(`version: 1
manifest: [m]
defaults: { secrets: ${targets.json} }
targets:
  json: { base_url: "emulator:a" }
  env: { base_url: "emulator:b", secrets: ${targets.env} }
  vault: { base_url: "emulator:c", secrets: { command: ${targets.vault} } }
`);
  expect([...project.targets.values()].map(({ secrets }) => secrets)).toEqual([
    { type: 'env-file', path: 'team/.env' },
    { type: 'file', path: 'team/a/secrets.json' },
    { type: 'command', argv: ['vault', 'kv', 'put'], folder: 'team' },
  ]);
});

test('Who is told of drift is said for all, and anew by a target', async () => {
  const project = await projectOf(`version: 1
manifest: [m]
defaults:
  page_url: "https://desk.example.com/\${target.name}.html"
  notify: [{ webhook: { url_env: HOOK_URL, secret_env: HOOK_SECRET } }, { slack: { url_env: SLACK_URL, about: [apply, drift] } }]
  drift: { heartbeat: { url_env: BEAT_URL } }
targets:
  notify: { base_url: "https://x", drift: { fail_on: error } }
  own: { base_url: "emulator:b", notify: [] }
`);
  const webhook = { type: 'webhook', urlEnv: 'HOOK_URL', about: ['drift'], secretEnv: 'HOOK_SECRET' };
  expect([...project.targets.values()].map(({ notify }) => notify)).toEqual([
    {
      channels: [webhook, { type: 'slack', urlEnv: 'SLACK_URL', about: ['drift', 'apply'] }],
      heartbeat: 'BEAT_URL',
      page: 'https://desk.example.com/notify.html',
    },
    { channels: [], heartbeat: 'BEAT_URL', page: 'https://desk.example.com/own.html' },
  ]);
});

test('How rules are read is said for all, and member by member by a target', async () => {
  const project = await projectOf(
    `version: 1
manifest: [m]
env: [ZONE]
defaults:
  routing: { decides: last, case: ignore, lint: { idle-agent: off, lost-cover: error } }
targets:
  a: { base_url: "emulator:a" }
  b:
    base_url: emulator:b
    routing: { decides: first, conditions: any, reorder: safe, timezone: "\${env.ZONE}", lint: { idle-agent: error } }
`,
    { ZONE: 'Europe/Warsaw' },
  );
  const [a, b] = [...project.targets.values()].map(({ routing }) => routing);
  expect(a).toEqual({
    ...ROUTING_DEFAULTS,
    assumptions: { decides: 'last', conditions: 'all', case: 'ignore', greetings: 'in-order' },
    lint: { ...ROUTING_DEFAULTS.lint, 'idle-agent': 'off', 'lost-cover': 'error' },
  });
  expect(b).toEqual({
    assumptions: { decides: 'first', conditions: 'any', case: 'ignore', greetings: 'in-order' },
    reorder: 'safe',
    lint: { ...ROUTING_DEFAULTS.lint, 'idle-agent': 'error', 'lost-cover': 'error' },
    except: [],
    domain: null,
    timezone: 'Europe/Warsaw',
  });
});

describe('What is wrong with chatform.yaml is reported like what is wrong with a manifest', () => {
  const cases: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
    ['an empty file', '', ['1:1 missing-field', '1:1 missing-field', '1:1 missing-field']],
    ['a list', '- a\n', ['1:1 wrong-type']],
    ['an error of syntax', 'version: 1\nmanifest: [\n', ['2:11 yaml-syntax']],
    [
      'two places for secrets',
      'T: { base_url: "emulator:x", secrets: { file: a, env_file: b } }',
      ['4:32 exclusive-fields'],
    ],
    ['a command of nothing', 'T: { base_url: "emulator:x", secrets: { command: [] } }', ['4:52 too-short']],
    ['a command for a shell', 'T: { base_url: "emulator:x", secrets: { command: a | b } }', ['4:52 wrong-type']],
    ['a misspelt setting', 'T: { base_url: "emulator:x", max_delete: 3 }', ['4:32 unknown-field']],
    ['a misspelt section', 'T: { base_url: "emulator:x" }\ntarget: {}', ['5:1 unknown-field']],
    ['no target', '', ['3:1 missing-field']],
    ['a target without a place', 'T: { max_deletes: 3 }', ['4:3 missing-field']],
    ['a place that is none', 'T: { base_url: api.example.com }', ['4:18 bad-format']],
    ['a token in the clear', 'T: { base_url: "http://chat.example.com:80" }', ['4:18 not-allowed']],
    [
      "an agent's token in the clear",
      'T: { base_url: "https://a.example", accounts_url: "http://b.example" }',
      ['4:53 not-allowed'],
    ],
    ['a host that only looks near', 'T: { base_url: "http://localhost.example.com" }', ['4:18 not-allowed']],
    ['an unknown version', 'T: { base_url: "emulator:x", api_version: "3.4" }', ['4:45 not-allowed']],
    ['a duration without a unit', 'T: { base_url: "emulator:x", request_timeout: "30" }', ['4:49 bad-format']],
    ['a duration that is a number', 'T: { base_url: "emulator:x", request_timeout: 30 }', ['4:49 wrong-type']],
    ...['request_timeout: 99999999999999h', 'run_timeout: 745h', 'reports_lag: 44641m'].map((setting) => {
      const column = 'T: { base_url: "emulator:x", '.length + setting.indexOf(' ') + 4;
      return [
        `${setting}, which is too long`,
        `T: { base_url: "emulator:x", ${setting} }`,
        [`4:${column} out-of-range`],
      ] as const;
    }),
    ['a time that is none', 'T: { base_url: "emulator:x", request_timeout: 0s }', ['4:49 out-of-range']],
    ['a number of another world', 'T: { base_url: "emulator:x", max_deletes: 1000001 }', ['4:45 out-of-range']],
    [
      'a delay that ends before it begins',
      'T: { base_url: "emulator:x", propagation_delay: 5s..1s }',
      ['4:51 bad-range'],
    ],
    [
      'a delay that the emulator does not know',
      'T: { base_url: "emulator:x", propagation_delay: 0s..3m }',
      ['4:51 out-of-range'],
    ],
    ['a delay of a real service', 'T: { base_url: "https://x", propagation_delay: 5s }', ['4:31 exclusive-fields']],
    ['a label with a wrong name', 'T: { base_url: "emulator:x", labels: { "a b": x } }', ['4:42 bad-format']],
    ['a label with a wrong value', 'T: { base_url: "emulator:x", labels: { ring: "one,two" } }', ['4:48 bad-format']],
    ['a label that is a number', 'T: { base_url: "emulator:x", labels: { wave: 1 } }', ['4:48 wrong-type']],
    ['a variable with a wrong name', 'T: { base_url: "emulator:x", vars: { 1a: x } }', ['4:40 bad-format']],
    [
      'too many at once',
      'T: { base_url: "emulator:x", concurrency: 0, batch_size: 5000 }',
      ['4:45 out-of-range', '4:60 out-of-range'],
    ],
    ['more than all', 'T: { base_url: "emulator:x", max_delete_percent: 101 }', ['4:52 out-of-range']],
    ['an unknown kind', 'T: { base_url: "emulator:x", prune: { agents: none } }', ['4:41 unknown-field']],
    ['an unknown choice', 'T: { base_url: "emulator:x", prune: { agent: any } }', ['4:48 not-allowed']],
    [
      'values of which nobody knows all',
      'T: { base_url: "emulator:x", prune: { license_property: all } }',
      ['4:59 not-allowed'],
    ],
    [
      'a day that is none',
      'T: { base_url: "emulator:x", drift: { ignore: [{ address: agent/b, reason: r, until: 2026-02-30 }] } }',
      ['4:88 bad-format'],
    ],
    [
      'one ledger for two licenses',
      'T: { base_url: "emulator:x", ledger: ./l }\n  U: { base_url: "emulator:y", ledger: l }',
      ['5:40 contradiction'],
    ],
    ['an unknown limit', 'T: { base_url: "emulator:x", limits: { rules: 300 } }', ['4:42 unknown-field']],
    ['a limit that is none', 'T: { base_url: "emulator:x", limits: { access_rules: 0 } }', ['4:56 out-of-range']],
    ['a limit in words', 'T: { base_url: "emulator:x", limits: { agents: many } }', ['4:50 wrong-type']],
    ['limits in a list', 'T: { base_url: "emulator:x", limits: [200] }', ['4:40 wrong-type']],
    [
      'a protected person who is written as a link',
      'T: { base_url: "emulator:x", protect: ["agent/mailto:a@b.co"] }',
      ['4:42 bad-format'],
    ],
    [
      'an agent of the token with a name around it',
      'T: { base_url: "emulator:x", own_agent: "A <a@b.co>" }',
      ['4:43 bad-format'],
    ],
    ['a glob of no kind', 'T: { base_url: "emulator:x", protect: ["groups/*", "group/*"] }', ['4:42 bad-format']],
    ['an address of no kind', 'T: { base_url: "emulator:x", acknowledge: [tier] }', ['4:46 bad-format']],
    ['a missing variable', 'T: { base_url: "${env.CHATFORM_VAR_URL}" }', ['4:19 missing-variable']],
    ['a variable of manifests', 'T: { base_url: "${var.url}" }', ['4:19 bad-substitution']],
    ['an unknown default', 'T: { base_url: "emulator:x" }\ndefault_target: t2', ['5:17 unknown-target']],
    [
      'a channel of two kinds, one that is none, and one without its secret',
      'T: { base_url: "emulator:x", notify: [{ slack: { url_env: A }, webhook: { url_env: A, secret_env: B } }, {}, { webhook: { url_env: A } }] }',
      ['4:41 exclusive-fields', '4:108 missing-field', '4:114 missing-field'],
    ],
    [
      'a channel with fields that none has',
      'T: { base_url: "emulator:x", notify: [{ on: [drift], to: ops }] }',
      ['4:43 unknown-field', '4:56 unknown-field'],
    ],
    ['a heartbeat in words', 'T: { base_url: "emulator:x", drift: { heartbeat: BEAT_URL } }', ['4:52 wrong-type']],
    [
      'routing that is none',
      'T: { base_url: "emulator:x", routing: { decides: best, lint: { idle: off, idle-agent: info } } }',
      ['4:52 not-allowed', '4:66 unknown-field', '4:89 not-allowed'],
    ],
    [
      'a zone that is none',
      'T: { base_url: "emulator:x", routing: { timezone: Europe/Warszawa } }',
      ['4:53 bad-timezone'],
    ],
    ['a secrets sink without a file', 'T: { base_url: "emulator:x", secrets: {} }', ['4:32 missing-field']],
  ];
  test.each(cases)('%s', async (name, text, expected) => {
    const head = 'version: 1\nmanifest: [m.yaml]\ntargets:';
    const bare = ['an empty file', 'a list', 'an error of syntax'].includes(name);
    const { diagnostics, project } = await load(bare ? text : `${head}${text === '' ? ' {}' : `\n  ${text}`}\n`);
    expect(diagnostics.map(summary)).toEqual(expected);
    expect(project).toBeNull();
    for (const { excerpt } of diagnostics) if (text !== '') expect(excerpt).not.toBeNull();
  });

  test('a file that does not exist, or is a directory', async () => {
    const { diagnostics } = await loadProject('nowhere.yaml', {}, memoryDisk({}));
    expect(diagnostics.map(({ code }) => code)).toEqual(['file-unreadable']);
    const directory = await loadProject('src', {});
    expect(directory.diagnostics.map(({ code }) => code)).toEqual(['file-unreadable']);
  });
});

test('The version of the Customer Chat Web API is the stable one, whatever the Configuration API has, unless it is set', async () => {
  const versionWith = async (settings: string) => {
    const project = await projectOf(
      `version: 1\nmanifest: [m]\ntargets:\n  t: { base_url: "emulator:x"${settings} }\n`,
    );
    return project.targets.get('t')?.customerApiVersion;
  };
  expect(await versionWith('')).toBe('3.6');
  expect(await versionWith(', api_version: "3.3"')).toBe('3.6');
  expect(await versionWith(', api_version: "3.3", customer_api_version: "3.7"')).toBe('3.7');
  expect(await versionWith(', customer_api_version: 3.3')).toBe('3.3');
});

test('The number of a license is a number or its digits', async () => {
  const found = async (settings: string) => {
    const { project, diagnostics } = await load(
      `version: 1\nmanifest: [m]\ntargets:\n  t: { base_url: "emulator:x", ${settings} }\n`,
    );
    return project?.targets.get('t')?.licenseId ?? diagnostics.map(({ code }) => code);
  };
  expect(await found('license_id: 1520')).toBe('1520');
  expect(await found('license_id: "1520"')).toBe('1520');
  expect(await found('license_id: 0')).toEqual(['out-of-range']);
  expect(await found('license_id: org-1')).toEqual(['bad-format']);
  expect(await found('license_id: true')).toEqual(['wrong-type']);
  expect(await found('organization_id: "my org"')).toEqual(['bad-format']);
});

test('A variable of the environment is read if it is listed or has the prefix, and never if it holds a secret', async () => {
  const text = (env: string, reference: string): string => `version: 1
manifest: [m]
${env}
targets:
  t: { base_url: "emulator:x", token_env: SHOP, reports_token_env: CHATFORM_VAR_R, account_id: "\${env.${reference}}" }
`;
  const values = {
    SHOP: 'hunter2',
    CHATFORM_VAR_R: 'hunter2',
    CHATFORM_VAR_A: '7',
    REGION: '7',
    DEPLOY_TOKEN: 'hunter2',
  };
  for (const [env, name] of [
    ['', 'CHATFORM_VAR_A'],
    ['env: [REGION]', 'REGION'],
  ] as const) {
    const { targets } = await projectOf(text(env, name), values);
    expect(targets.get('t')?.accountId).toBe('7');
  }
  const refused = async (env: string, name: string) => {
    const { project, diagnostics } = await load(text(env, name), values);
    expect([project, renderDiagnostics(diagnostics).includes('hunter2')]).toEqual([null, false]);
    return diagnostics.map((each) => `${summary(each)} ${each.message} | ${each.remedy}`);
  };
  expect(await refused('env: [ZONE]', 'REGION')).toEqual([
    '5:97 not-allowed `${env.REGION}` may not be read: chatform.yaml does not list it | write `env: [ZONE, REGION]` in chatform.yaml, or pass the value as CHATFORM_VAR_REGION',
  ]);
  const secret = 'remove it: the license, plans and logs show the values of variables';
  expect(await refused('env: [SHOP]', 'SHOP')).toEqual([
    `3:7 not-allowed files may not read \`SHOP\`: it holds a secret, because \`token_env\` names it | ${secret}`,
    `5:97 not-allowed \`\${env.SHOP}\` may not be read: it holds a secret, because \`token_env\` names it | ${secret}`,
  ]);
  expect(await refused('', 'CHATFORM_VAR_R')).toEqual([
    `5:97 not-allowed \`\${env.CHATFORM_VAR_R}\` may not be read: it holds a secret, because \`reports_token_env\` names it | ${secret}`,
  ]);
  expect(await refused('env: [DEPLOY_TOKEN]', 'CHATFORM_VAR_A')).toEqual([
    '3:7 not-allowed files may not read `DEPLOY_TOKEN`: its name is that of a secret | remove it; if the value is no secret, pass it as CHATFORM_VAR_DEPLOY_TOKEN',
  ]);
});

test.each([
  ...['DB_PASS', 'SMTP_PWD', 'PGPASSWORD', 'DEPLOY_KEY', 'AWS_SECRET_ACCESS_KEY', 'SENTRY_DSN', 'SLACK_WEBHOOK_URL'],
  ...['DATABASE_URL', 'REDIS_URL', 'MONGODB_URI', 'HTTPS_PROXY', 'https_proxy'],
])('%s reads like a secret', (name) => {
  expect(secretRefusal(name, new Map())).toMatchObject({ reason: 'its name is that of a secret' });
});

test.each(['REGION', 'RELEASE', 'SHOP_URL', 'KEYBOARD', 'PASSAGE', 'CHATFORM_VAR_DEPLOY_KEY'])(
  '%s does not',
  (name) => {
    expect(secretRefusal(name, new Map())).toBeNull();
  },
);

describe('A credential in the file is refused, and never shown', () => {
  test.each([
    ['a token', 'token: hunter2hunter2'],
    ['an access token', 'access_token: hunter2hunter2'],
    ['a password', 'password: hunter2hunter2'],
    ['a key of an API', 'api_key: hunter2hunter2'],
    ['a secret of a client', 'client_secret: hunter2hunter2'],
    ['a passphrase', 'ledger_passphrase: hunter2hunter2'],
    ['a token where the name of its variable belongs', 'token_env: hunter2-hunter2'],
    ['a token of a customer where the name of its variable belongs', 'customer_token_env: hunter2-hunter2'],
    ['a regional token', 'ledger: dal:hunter2hunter2'],
    ['a token whose colon was escaped', 'ledger: fra%3Ahunter2hunter2'],
    ['a token whose colon is an entity', 'ledger: dal&#58;hunter2hunter2'],
    ['a header', 'account_id: Bearer hunter2hunter2'],
    ['a password in the URL', 'ledger: https://me:hunter2@example.com/'],
    ['a token that comes from the environment', 'token: "${env.TOKEN}"'],
    ['a token instead of the name of its variable', 'token_env: "${env.TOKEN}"'],
    ['a token of reports where the name of its variable belongs', 'reports_token_env: hunter2-hunter2'],
    ['a URL to tell somebody at', 'notify: [{ slack: { url: "https://hooks.example.com/hunter2" } }]'],
    ['a URL where its variable belongs', 'notify: [{ slack: { url_env: "https://x.example.com/hunter2" } }]'],
    ['a URL without a member', 'notify: [https://hooks.example.com/hunter2]'],
    ['a URL of a heartbeat', 'drift: { heartbeat: { url: "https://beat.example.com/hunter2" } }'],
    ['a secret that signs', 'notify: [{ webhook: { url_env: A, secret: hunter2 } }]'],
    ['a secret where its variable belongs', 'notify: [{ webhook: { url_env: A, secret_env: "hunter2!" } }]'],
  ])('%s', async (_, member) => {
    const text = `version: 1\nmanifest: [m]\ntargets:\n  t: { base_url: "emulator:x", ${member}, wrong: 1 }\n`;
    const { diagnostics, project } = await load(text, { TOKEN: 'hunter2' });
    expect(project).toBeNull();
    const codes = diagnostics
      .map(({ code }) => code)
      .filter((code) => code !== 'missing-field' && code !== 'wrong-type');
    expect(codes).toEqual(['not-allowed', 'unknown-field']);
    const remedy = diagnostics.find(({ code }) => code === 'not-allowed')?.remedy;
    expect(remedy).toContain(/^(?:drift|notify)/.test(member) ? 'url_env' : 'token_env');
    expect(renderDiagnostics(diagnostics)).not.toContain('hunter2');
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
  });
});

test('The target that writes the webhooks of a client is known to all of them, and must be there', async () => {
  const targets = 'targets: { one: { base_url: "https://a.example" }, two: { base_url: "https://b.example" } }';
  const loaded = async (target: string) => {
    const text = `version: 1\nmanifest: [m]\nclients: { shop: { webhooks_of: ${target} } }\n${targets}\n`;
    return loadProject('chatform.yaml', {}, memoryDisk({ 'chatform.yaml': text }));
  };
  const { project } = await loaded('two');
  expect([...(project?.targets.values() ?? [])].map(({ webhooksOf }) => webhooksOf.get('shop'))).toEqual([
    'two',
    'two',
  ]);
  const { diagnostics } = await loaded('tow');
  expect(diagnostics.map(({ code, place, remedy }) => [code, place.line, remedy?.split('?')[0]])).toEqual([
    ['unknown-target', 3, 'did you mean `two`'],
  ]);
});
