// A repository with the files of two licenses, `acme` and `bravo`, and a request that changes them. Must not know which host's jobs run on it.

import type { Emulator } from '../../src/emulator/index.ts';
import { served } from '../cli/served.ts';
import type { Fake } from '../outlets/hosts/fake.ts';
import { git, SEED, type Site, site } from './site.ts';

interface TwoLicenses {
  /** Its license is that of `acme`. */
  readonly place: Site;
  /** The license of `bravo`. */
  readonly other: Emulator;
  /** A commit of the request, with a name for the group of each license. On main they are `A` and `B`. */
  readonly requested: (acme: string, bravo: string, more?: Readonly<Record<string, string>>) => string;
}

export async function twoLicenses(host: () => Promise<Fake>): Promise<TwoLicenses> {
  const place = await site(host);
  const other = await served({ seed: SEED });
  const files = (acme: string, bravo: string) => ({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets_from: { list: [{ name: acme, url: "${place.service}" }, { name: bravo, url: "${other.url}" }] }
defaults:
  base_url: "\${row.url}"
  token_env: "TOKEN_\${target.env_name}"
  ledger: "ledger/\${target.name}.ndjson"
  overlays: ["\${target.name}.yaml"]
  propagation_timeout: 5s
  request_timeout: 2s
`,
    'manifest.yaml': 'version: 1\ngroups: { sales: { name: Sales } }\n',
    'acme.yaml': `groups: { own: { name: ${acme} } }\n`,
    'bravo.yaml': `groups: { own: { name: ${bravo} } }\n`,
  });
  const main = place.commit(files('A', 'B'));
  git(place.remote, 'update-ref', 'refs/heads/main', main);
  const requested = (acme: string, bravo: string, more: Readonly<Record<string, string>> = {}): string => {
    const head = place.commit({ ...files(acme, bravo), ...more }, [main]);
    place.fake.head = head;
    return head;
  };
  return { place, other: other.emulator, requested };
}
