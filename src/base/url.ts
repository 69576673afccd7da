// URLs, and whether others can read what is sent to them.

/** Null for a text that is no URL. Not by URL.canParse, which refuses accents in Node 20 once it is compiled; URL.parse came later. */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** A web address that people may open, without a slash at its end; null for another text, and for one with a password or a query. */
export function webAddress(text: string | undefined): string | null {
  const address = (text ?? '').replace(/\/+$/, '');
  const url = /^https?:\/\/[^\s<>"]+$/.test(address) ? parsedUrl(address) : null;
  const isBare = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isBare ? address : null;
}

/** Whether a request to the URL, or to a name or address, stays on this machine. */
export function isThisMachine({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(hostname);
}

/**
 * Equal for two addresses of one place: without scheme, capitals of the host, default port, and what is empty in the path. The name of a data centre in
 * the host says where a license is kept, and makes no other license. All names of this machine are one.
 */
export function addressKey(text: string): string {
  const url = parsedUrl(text);
  if (url === null) return text;
  const host = `.${url.hostname.replace(/\.$/, '')}`.replaceAll(/[.-](?:dal|fra)(?=[.-])/g, '');
  return `${isThisMachine(url) ? 'this machine' : host}:${url.port}${url.pathname.replaceAll(/\/+/g, '/').replace(/\/$/, '')}`;
}

/** Whether a request to the URL leaves this machine without encryption. */
export function isReadable(text: string): boolean {
  const url = parsedUrl(text);
  return url?.protocol === 'http:' && !isThisMachine(url);
}
