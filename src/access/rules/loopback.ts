/** 127.0.0.0/8, ::1 and the former written as IPv6; nothing that must be looked up. */
export function isLoopback(address: string | undefined): boolean {
  if (address === '::1') return true
  const octets = /^(?:::ffff:)?127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/i.exec(address ?? '')?.slice(1)
  return octets?.every((octet) => Number(octet) <= 255) ?? false
}

/** Whether a Host value is one of the three names of this machine, with the port that the server listens on. */
export function isOwnHost(host: string, port: number): boolean {
  const match = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i.exec(host)
  return match !== null && (match[1] ?? '80') === String(port)
}

/** The authority in a request target of absolute form; null where the target is a path. */
export function parseTargetHost(target: string): { host: string } | null | 'unreadable' {
  if (target.startsWith('/') || target === '*') return null
  const match = /^http:\/\/([^/?#]+)(?:[/?#]|$)/i.exec(target)
  return match ? { host: match[1]! } : 'unreadable'
}
