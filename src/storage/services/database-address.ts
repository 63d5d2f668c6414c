/** What STUDIO_DB may name besides a file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//i.test(address)
}

/** The parts of `postgres://user:password@host:port/database?…`; null for one that cannot be read, as with a `/` in the password. */
export function parsePostgresAddress(address: string): URL | null {
  try {
    // A user without a host, as for a socket: the parser wants a name there.
    const url = new URL(address.replace(/^([^/]+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost'))
    // What looks like this is a password that was not percent-encoded: it must not be taken for a host.
    return /@/.test(url.pathname) || url.hash !== '' || /^\?[^=]*@/.test(url.search) ? null : url
  } catch {
    return null // the error would carry the address
  }
}

export function hasPassword(address: string): boolean {
  const url = parsePostgresAddress(address)
  return url !== null && (url.password !== '' || url.searchParams.has('password'))
}

/** Fit to be shown: a file's path as it is, of an address only `postgres://host:port/database`. */
export function redactAddress(address: string): string {
  if (!isPostgresAddress(address)) return address
  const url = parsePostgresAddress(address)
  if (url === null) return 'postgres://…'
  const host = url.searchParams.get('host') ?? url.host
  return `postgres://${host}${url.pathname}`
}

/** Whether both name the same database for the same user, whatever their passwords. */
export function isSameDatabase(one: string, other: string): boolean {
  return removePassword(one) === removePassword(other)
}

function removePassword(address: string): string {
  const url = isPostgresAddress(address) ? parsePostgresAddress(address) : null
  if (url === null) return address
  url.protocol = 'postgres:'
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}
