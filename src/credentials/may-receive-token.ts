import { BlockList, isIP } from 'node:net'

/** Networks that are not routed on the Internet: this machine, private ones, and those of links and carriers. */
const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6')

/** Domains that have no names on the Internet, by RFC 6761, RFC 6762, RFC 8375 and ICANN. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/

/**
 * Whether a token may be sent to the address: over HTTPS, or within this machine or a private network. A name without a dot, such as that
 * of a container, is one of the own network.
 */
export function mayReceiveToken(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:') return true
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family !== 0) return privateNetworks.check(host, family === 6 ? 'ipv6' : 'ipv4')
  return !host.includes('.') || PRIVATE_NAME.test(host)
}
