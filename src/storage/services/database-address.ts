/** Whether the value of STUDIO_DB names a server rather than a file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//i.test(address)
}

/** Parses `postgres://user:password@host:port/database?…`. Null if it is invalid, for example because of a `/` in the password. */
export function parsePostgresAddress(address: string): URL | null {
  try {
    // The URL parser needs a host after a user, also for a socket.
    const url = new URL(address.replace(/^([^/]+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost'))
    // This is a password that was not percent-encoded. It must not be mistaken for a host.
    return /@/.test(url.pathname) || url.hash !== '' || /^\?[^=]*@/.test(url.search) ? null : url
  } catch {
    return null // the error would contain the address
  }
}

export function hasPassword(address: string): boolean {
  const url = parsePostgresAddress(address)
  return url !== null && (url.password !== '' || url.searchParams.has('password'))
}

/** Formats an address for output: a path as it is, an address without credentials and parameters. */
export function redactAddress(address: string): string {
  if (!isPostgresAddress(address)) return address
  const url = parsePostgresAddress(address)
  if (url === null) return 'postgres://…'
  const host = url.searchParams.get('host') ?? url.host
  return `postgres://${host}${url.pathname}`
}

/** Whether both addresses name the same database and user, ignoring passwords. */
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
