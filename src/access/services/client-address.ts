import { BlockList, isIP } from 'node:net'

/** The name of proxies on the Unix socket in the list of trusted proxies. */
const UNIX_SOCKET = 'unix'

/** Whether the peer of a connection is a proxy whose X-Forwarded-For is trusted. The address of a Unix socket is undefined. */
export type IsTrustedProxy = (address: string | undefined) => boolean

/** `names` are addresses (`127.0.0.1`), networks (`10.0.0.0/8`, `fd00::/8`) and `unix`. */
export function createProxyCheck(names: readonly string[]): IsTrustedProxy {
  if (names.length === 0) return () => false
  const listed = new BlockList()
  for (const name of names.filter((each) => each !== UNIX_SOCKET)) {
    const [address, bits] = name.split('/') as [string, string?]
    if (bits === undefined) listed.addAddress(address, getAddressFamily(address))
    else listed.addSubnet(address, Number(bits), getAddressFamily(address))
  }
  const isSocketTrusted = names.includes(UNIX_SOCKET)
  return (address) => {
    if (address === undefined) return isSocketTrusted
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '')
    return isIP(plain) !== 0 && listed.check(plain, getAddressFamily(plain))
  }
}

/**
 * The address that failed credentials count against: that of the peer or, behind trusted proxies, the last one in `X-Forwarded-For` that is
 * not a trusted proxy. The client may have written the addresses before it. Undefined for a peer on a Unix socket.
 */
export function findClientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  isTrusted: IsTrustedProxy,
): string | undefined {
  const hops = forwardedFor === undefined || !isTrusted(peer) ? [] : forwardedFor.split(',')
  let client = peer
  while (hops.length > 0 && isTrusted(client)) {
    const hop = parseHop(hops.pop()!)
    if (hop === null) break
    client = hop
  }
  return client
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseHop(hop: string): string | null {
  const text = hop.trim()
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? null : address
}

function getAddressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
