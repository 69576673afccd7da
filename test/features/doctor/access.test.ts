// The version, the credential, and what the token may do: by trying what reads, and by the table for what writes.

import { expect, test } from 'vitest';
import type { Scenario, SettingsInput } from '../../../src/emulator/index.ts';
import { project } from '../../cli/chatform.ts';
import { looked, READING, tokenWith } from './target.ts';

type Header = 'Legacy' | 'Deprecation';

function lifecycle(header: Header, date: string, version = '3.6'): { readonly emulator: { settings: SettingsInput } } {
  return { emulator: { settings: { lifecycle: { [version]: { header, date } } } } };
}

/** A target at other versions than the default ones, which names its account. */
function at(versions: string): { readonly [name: string]: string } {
  const url = 'base_url: "https://unused.example", ledger: ledger.ndjson';
  return {
    'manifest.yaml': 'version: 1\nagents: { ann@example.com: { name: Ann } }\n',
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here: { ${url}, organization_id: o1, license_id: 1, ${versions} }\n`,
  };
}

function refusing(error: string): { readonly emulator: { readonly scenario: Scenario } } {
  return { emulator: { scenario: { faults: [{ type: 'error', error }] } } };
}

test('A version with no end is right', async () => {
  expect((await looked()).line('version')).toBe('ok: 3.6, the stable version, with no end announced');
});

test('A version that ends is a warning, in either stage', async () => {
  const legacy = await looked(lifecycle('Legacy', '2027-03-01'));
  expect(legacy.line('version')).toMatch(
    /^warning: 3\.6 is a legacy version, and this stage ends on 2027-03-01 -> look for a chatform/,
  );
  expect((await looked(lifecycle('Legacy', '2025-03-01'))).line('version')).toContain('warning: ');
  const deprecated = await looked(lifecycle('Deprecation', '2027-03-01'));
  expect([deprecated.line('version'), deprecated.code, deprecated.stderr]).toEqual([
    expect.stringContaining('warning: 3.6 is deprecated, and this stage ends on 2027-03-01'),
    0,
    '',
  ]);
});

test('A version that was to be gone by now is a problem', async () => {
  const { line, code } = await looked(lifecycle('Deprecation', '2025-12-31'));
  expect([line('version'), code]).toEqual([expect.stringContaining('this stage ended on 2025-12-31'), 1]);
});

test('A version that the license does not have is a problem, and nothing else is asked', async () => {
  const { line, emulator, statuses } = await looked(refusing('unsupported_version'));
  expect(line('version')).toMatch(/^problem: the service refuses version 3\.6.* -> set `api_version` to 3\.3/);
  expect([emulator.stats(), statuses.credential, statuses.address]).toEqual([{ list_agents: 1 }, 'unchecked', 'ok']);
});

test('3.3 is looked at with the actions that it has', async () => {
  const { line, statuses } = await looked({
    flags: ['--api-version', '3.3'],
    files: { ...project(), 'manifest.yaml': 'version: 1\nagents: { ann@example.com: { name: Ann } }\n' },
  });
  expect(line('version')).toMatch(/^warning: 3\.3 is deprecated, .* -> set `api_version` to 3\.6/);
  expect([statuses.plan, statuses.read_scopes, statuses.limits]).toEqual(['ok', 'ok', 'ok']);
});

test('An older version is a warning where the service does not say when it ends, and a preview is none', async () => {
  const without = { emulator: { settings: { lifecycle: { '3.3': null } } } };
  expect((await looked({ ...without, files: at('api_version: "3.3"') })).line('version')).toBe(
    'warning: 3.3 is older than the stable version, and the service does not say when it ends -> set `api_version` to 3.6, the stable version, and plan again',
  );
  expect((await looked({ files: at('api_version: "3.7"') })).line('version')).toBe(
    'ok: 3.7, a preview that the service may change; 3.6 is the stable version',
  );
});

test('The stage of the Customer Chat Web API takes one request without a token, where the target names its account', async () => {
  const stable = await looked({ files: at('') });
  expect(stable.line('customer_version')).toBe('ok: 3.6, the stable version, with no end announced');
  expect(stable.document['requests_sent']).toEqual({
    list_agents: 1,
    list_license_properties: 1,
    get_dynamic_configuration: 1,
  });
  const line = async (versions: string, settings: SettingsInput = {}): Promise<string> =>
    (await looked({ emulator: { settings }, files: at(versions) })).line('customer_version');
  const change = '-> set `customer_api_version` to 3.6, the stable version';
  expect(await line('customer_api_version: "3.3"')).toBe(
    `warning: 3.3 is a legacy version, and this stage ends on 2027-12-31 ${change}`,
  );
  const gone = { lifecycle: { 'customer/3.5': { header: 'Deprecation', date: '2020-01-31' } } } as const;
  expect(await line('customer_api_version: "3.5"', gone)).toBe(
    `warning: 3.5 is deprecated, and this stage ended on 2020-01-31 ${change}`,
  );
  expect(await line('customer_api_version: "3.7"')).toMatch(/^ok: 3\.7, a preview that the service may change/);
  const { line: none, emulator } = await looked();
  expect(none('customer_version')).toBe('unchecked: 3.6; its stage is not known: the target has no organization_id');
  expect(Object.keys(emulator.stats())).not.toContain('customer/get_dynamic_configuration');
});

test('A version of the Customer Chat Web API that the service refuses is a warning: no plan needs it', async () => {
  const faults = [
    { type: 'error', actions: ['customer/get_dynamic_configuration'], error: 'unsupported_version' },
  ] as const;
  const { line, code } = await looked({ emulator: { scenario: { faults } }, files: at('customer_api_version: "3.3"') });
  expect([line('customer_version'), code]).toEqual([
    expect.stringMatching(
      /^warning: the service refuses version 3\.3: .* -> set `customer_api_version` to 3\.5, 3\.6 or 3\.7/,
    ),
    0,
  ]);
});

test('The stage of the Reports API is told with the one report that --reports asks', async () => {
  const old = { files: at('reports_api_version: "3.4"') };
  expect((await looked(old)).line('reports_version')).toBe(
    'unchecked: 3.4; its stage is not known: --reports asks one report, which is billed',
  );
  const { line, stderr, document } = await looked({ ...old, flags: ['--reports'] });
  expect([line('reports_version'), stderr, document['reports']]).toEqual([
    'warning: 3.4 is deprecated, and this stage ends on 2027-12-31 -> set `reports_api_version` to 3.6, the stable version',
    '',
    { status: 'ready', scope: 'reports_read', missing: null },
  ]);
});

test('A token that the service does not know is a problem, and asked with once', async () => {
  const { line, emulator, code, statuses } = await looked({
    emulator: tokenWith(...READING),
    env: { CHATFORM_TOKEN: 'dal:sesame-of-another' },
  });
  expect(line('credential')).toMatch(
    /^problem: the service refuses the access token: .* -> .*CHATFORM_TOKEN.*account_id/,
  );
  expect([emulator.stats(), code]).toEqual([{ list_agents: 1 }, 1]);
  expect([statuses.address, statuses.version, statuses.region, statuses.clock, statuses.read_scopes]).toEqual([
    'ok',
    'ok',
    'ok',
    'ok',
    'unchecked',
  ]);
});

test('A personal token is named so', async () => {
  const token = { token: 'open-sesame', kind: 'personal', account_id: 'ann', scopes: READING } as const;
  const files = (account: string) => ({
    ...project(),
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here: { base_url: "https://unused.example", account_id: ${account} }\n`,
  });
  const seen = (account: string) =>
    looked({ emulator: { seed: { tokens: [token] } }, files: files(account), env: { CHATFORM_TOKEN: 'open-sesame' } });
  expect((await seen('ann')).line('credential')).toBe('ok: the service accepts the personal access token');
  expect((await seen('bob')).line('credential')).toMatch(/^problem: .*personal access token.* -> .*`account_id`/);
});

test('An expired subscription is told from a bad token', async () => {
  const { line } = await looked({ emulator: { settings: { licenseExpired: true } } });
  expect(line('credential')).toMatch(/^problem: the subscription of the license has ended/);
});

test.each([
  ['an unset variable', {}, 'CHATFORM_TOKEN is not set'],
  ['a token from a URL', { CHATFORM_TOKEN: 'dal%3Aopen-sesame' }, '%3A'],
  ['a token with a line break', { CHATFORM_TOKEN: 'dal:open-sesame\n' }, 'white space'],
])('With %s, one request without a token still tells of the line and the version', async (_, env, said) => {
  const { line, emulator, statuses } = await looked({ env, ...{ emulator: tokenWith(...READING) } });
  expect(line('credential')).toMatch(/^problem: .* -> put the access token into CHATFORM_TOKEN/);
  expect(line('credential')).toContain(said);
  expect([emulator.stats(), emulator.log()[0]?.error]).toEqual([{ list_license_properties: 1 }, 'authentication']);
  expect([statuses.address, statuses.version, statuses.clock, statuses.manifest, statuses.plan]).toEqual([
    'ok',
    'ok',
    'ok',
    'ok',
    'unchecked',
  ]);
});

test('All reads that planning takes are tried, and allowed', async () => {
  const { line, code, document } = await looked({ emulator: tokenWith(...READING) });
  expect(line('read_scopes')).toBe(
    'ok: the token has what reading takes: access_rules:ro, agents--all:ro, groups--all:ro',
  );
  expect(line('write_scopes')).toBe(
    'unchecked: the plan needs access_rules:rw, accounts--all:rc, groups--all:rw: only a write can try that -> make sure that the token has them',
  );
  expect(code).toBe(0);
  expect(document['scopes']).toEqual({
    needed: ['access_rules:rw', 'accounts--all:rc', 'agents--all:ro', 'groups--all:rw'],
    granted: ['access_rules:ro', 'agents--all:ro', 'groups--all:ro'],
    missing_to_read: [],
    missing_to_write: [],
    untried: ['access_rules:rw', 'accounts--all:rc', 'groups--all:rw'],
  });
});

test('Every read that is refused is named at once, and what writing would take of the same family', async () => {
  const { line, code, document, statuses } = await looked({ emulator: tokenWith('agents--all:ro') });
  expect(line('read_scopes')).toMatch(
    /^problem: .*list_groups, list_auto_accesses refused, missing access_rules:ro, groups--all:ro -> use a token with/,
  );
  expect(line('write_scopes')).toBe(
    'problem: on an empty license, an apply would need access_rules:rw, groups--all:rw, which the token lacks, and accounts--all:rc, which only a write can try -> use a token with access_rules:rw, groups--all:rw',
  );
  expect([code, statuses.plan, statuses.credential]).toEqual([1, 'unchecked', 'ok']);
  expect(document['scopes']).toMatchObject({
    needed: null,
    missing_to_read: ['access_rules:ro', 'groups--all:ro'],
    missing_to_write: ['access_rules:rw', 'groups--all:rw'],
  });
});

test('A token that may read nothing may belong to somebody who is suspended', async () => {
  const { line } = await looked({
    emulator: {
      seed: {
        agents: [{ id: 'ann@example.com', name: 'Ann', suspended: true }],
        tokens: [{ token: 'dal:open-sesame', scopes: READING, agent_id: 'ann@example.com' }],
      },
      settings: { inactiveAgentTokens: 'refused' },
    },
  });
  expect(line('read_scopes')).toContain('its agent may be suspended');
});

test('A token that may write all is not asked to prove it, and a plan without writes needs no proof', async () => {
  const files = { ...project(), 'manifest.yaml': 'version: 1\ngroups: { general: { id: 0, name: General } }\n' };
  const { line, statuses } = await looked({ files, emulator: tokenWith('groups--all:ro') });
  expect([line('write_scopes'), statuses.limits]).toEqual(['ok: the plan writes nothing', 'unchecked']);
});

test('What reading needs may be all that writing needs', async () => {
  const definition = '{ shop: { tier: { type: string, access: { license: { agent: [read] } } } } }';
  const files = { ...project(), 'manifest.yaml': `version: 1\nproperties: ${definition}\n` };
  const { line } = await looked({ files, emulator: tokenWith('properties.configuration:rw') });
  expect(line('write_scopes')).toBe('ok: the plan needs no more than reading does');
});
