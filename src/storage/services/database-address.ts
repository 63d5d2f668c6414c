/** Whether the value of STUDIO_DB names a server rather than a file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//i.test(address)
}

/**
 * The addresses of the servers that an address lists, `postgres://user@a:5432,b:5432/database`; the address itself if it names one. The
 * parameter `target_session_attrs` is left out: studio always looks for the primary.
 */
export function splitHosts(address: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is.exec(address)
  if (!parts) return [address]
  const [, scheme, authority, rest] = parts as unknown as [string, string, string, string]
  const hostsAt = authority.lastIndexOf('@') + 1
  const hosts = authority.slice(hostsAt).split(',')
  if (hosts.length === 1) return [address]
  const parameters = rest.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before, after) => (after ? before : ''))
  return hosts.map((host) => `${scheme}${authority.slice(0, hostsAt)}${host}${parameters}`)
}

/**
 * Parses `postgres://user:password@host:port/database?…`. Of an address that lists several servers it parses the first. Null if one is
 * invalid, for example because of a `/` in the password.
 */
export function parsePostgresAddress(address: string): URL | null {
  const servers = splitHosts(address).map(parseServerAddress)
  return servers.includes(null) ? null : servers[0]!
}

function parseServerAddress(address: string): URL | null {
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

/** The host and the port of an address of one server. */
export function describeServer(address: string): string {
  const url = parseServerAddress(address)
  return (url?.searchParams.get('host') ?? url?.host) || 'the local server'
}

/** Formats an address for output: a path as it is, an address without credentials and parameters. */
export function redactAddress(address: string): string {
  if (!isPostgresAddress(address)) return address
  const url = parsePostgresAddress(address)
  if (url === null) return 'postgres://…'
  const hosts = splitHosts(address).map((server) => parseServerAddress(server)!.host)
  const host = url.searchParams.get('host') ?? hosts.join(',')
  return `postgres://${host}${url.pathname}`
}

/** Whether both addresses name the same database and user, ignoring passwords. */
export function isSameDatabase(one: string, other: string): boolean {
  const listServers = (address: string) => splitHosts(address).map(removePassword).sort().join()
  return listServers(one) === listServers(other)
}

function removePassword(address: string): string {
  const url = isPostgresAddress(address) ? parsePostgresAddress(address) : null
  if (url === null) return address
  url.protocol = 'postgres:'
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}
