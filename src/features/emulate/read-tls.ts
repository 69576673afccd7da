// The certificate and the key of an emulator that serves HTTPS, from their files.

import { createSecureContext } from 'node:tls';
import { type Interruptible, textAt } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';

/** Both in PEM, as `listen` takes them. @throws UsageError for files that are not a certificate and its key */
export async function readTls(
  certFile: string,
  keyFile: string,
  interruptible: Interruptible,
): Promise<{ readonly cert: string; readonly key: string }> {
  const [cert, key] = [await textAt(certFile, interruptible), await textAt(keyFile, interruptible)];
  requireUsable({ cert }, `--tls-cert ${certFile} is not a certificate in PEM: name one that \`openssl x509\` reads`);
  requireUsable({ key }, `--tls-key ${keyFile} is not a private key in PEM: name one without a passphrase`);
  requireUsable(
    { cert, key },
    `--tls-key ${keyFile} is not the key of --tls-cert ${certFile}: name two that belong together`,
  );
  return { cert, key };
}

function requireUsable(parts: { readonly cert?: string; readonly key?: string }, otherwise: string): void {
  try {
    createSecureContext(parts);
  } catch {
    throw new UsageError(otherwise);
  }
}
