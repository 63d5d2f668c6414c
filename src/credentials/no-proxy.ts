import { BlockList, isIP } from 'node:net'

/**
 * Whether NO_PROXY contains the host of the address: by its name, a domain that it is in, its IP address, or a network such as `10.0.0.0/8`.
 * Each entry may have a port; `*` is every host.
 */
export function isExcepted({ protocol, hostname, port }: URL, except: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return except.split(/[,\s]/).some((text) => {
    if (text === '*') return true
    const [name, entryPort] = splitPort(text.toLowerCase())
    if (name === '' || (entryPort !== null && entryPort !== ownPort)) return false
    return isIP(host) ? isInNetwork(host, name) : host === name || host.endsWith(`.${name}`)
  })
}

/** The name without `*.`, the brackets of an IPv6 address and the dot at the end. The last part of a bare IPv6 address is no port. */
function splitPort(entry: string): [name: string, port: string | null] {
  const [, host, port = null] = (isIP(entry) ? null : /^(.*):(\d+)$/.exec(entry)) ?? [null, entry]
  return [host!.replace(/^\*?\.|[[\]]|\.$/g, ''), port]
}

function isInNetwork(host: string, entry: string): boolean {
  const [, address, bits] = /^(.*?)(?:\/(\d+))?$/.exec(entry)!
  const version = isIP(host)
  const length = version === 6 ? 128 : 32
  if (isIP(address!) !== version || Number(bits ?? 0) > length) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  const network = new BlockList()
  network.addSubnet(address!, Number(bits ?? length), family)
  return network.check(host, family)
}
