// The code of a failed TLS handshake in; what is wrong with the certificate and what to do about it, for a person, out. Must not know who connects.

const TRUST = 'to trust it on this machine, name a PEM file with it in NODE_EXTRA_CA_CERTS';

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(DEPTH_ZERO_)?SELF_SIGNED_CERT/, `the certificate is self-signed, or signed by somebody unknown here; ${TRUST}`],
  [
    /^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/,
    `the certificate is signed by somebody unknown here, or comes without those between; ${TRUST}`,
  ],
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired, or the clock of this machine is wrong'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet, or the clock of this machine is wrong'],
  [/^CERT_REVOKED$/, 'the certificate was revoked'],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'the certificate is for another host: write the host that it names into base_url',
  ],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    'what answers there does not speak TLS: is it http://, or another port?',
  ],
];

/** No pause heals any of these. */
export function explainTls(code: string, said: string): string {
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1];
  return reason === undefined ? said : `${reason} (${code}: ${said})`;
}
