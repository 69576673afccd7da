// Certificates of this machine for tests, valid from 2020 to 2199, or to 2021 (`expired.pem`), and their key, which is public and protects nothing.
// Made with `openssl ca -selfsign -startdate 20200101000000Z -enddate 21991231235959Z` for localhost, 127.0.0.1 and ::1.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const fileOf = (name: string): string => join(import.meta.dirname, name);

export const TLS_FILES = { cert: fileOf('server.pem'), key: fileOf('server.key'), expired: fileOf('expired.pem') };

const key = readFileSync(TLS_FILES.key, 'utf8');
export const TLS = { key, cert: readFileSync(TLS_FILES.cert, 'utf8') };
export const EXPIRED_TLS = { key, cert: readFileSync(TLS_FILES.expired, 'utf8') };
