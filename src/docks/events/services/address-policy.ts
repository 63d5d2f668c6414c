import { lookup as resolveName } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { MailSettings } from '../../../mail'

/** Networks that are not the public Internet: private, shared, link-local with metadata services, documentation, multicast, reserved. */
const specialNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Within the global unicast addresses: those that stand for an IPv4 address, and documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

/** The context of an operation that sends events. */
export interface WebhookContext {
  /** Networks that webhooks may be sent to besides the public Internet: `10.0.0.0/8`. */
  webhooks: { readonly allowedNetworks: readonly string[] }
  mail: MailSettings
  /** Where others reach the service; null if it has no public address. */
  findPublicUrl(): string | null
}

/** Which addresses webhooks may be sent to. */
export interface AddressPolicy {
  isAllowed(address: string): boolean
  isLoopback(address: string): boolean
}

/** Public addresses, and those of the networks that the operator allows, such as `10.0.0.0/8`. */
export function createAddressPolicy(allowedNetworks: readonly string[]): AddressPolicy {
  const isSpecial = createNetworkCheck(specialNetworks)
  const isGlobalUnicast = createNetworkCheck(['0.0.0.0/0', '2000::/3'])
  const isListed = createNetworkCheck(allowedNetworks)
  return {
    isAllowed: (address) => isListed(address) || (isGlobalUnicast(address) && !isSpecial(address)),
    isLoopback: createNetworkCheck(['127.0.0.0/8', '::1/128']),
  }
}

function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const listed = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string?]
    const family = getFamily(address)
    listed.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '')
    return isIP(plain) !== 0 && listed.check(plain, getFamily(plain))
  }
}

function getFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/**
 * The error of a host to which nothing may be sent. A name of the internal network and one that does not exist are the same to a tenant, who
 * could otherwise find out which internal names there are.
 */
export class NoPublicAddressError extends Error {
  constructor(cause?: unknown) {
    super('the host has no public address', { cause })
  }
}

/**
 * Resolves a name as the connection is made, and connects to nothing but the checked addresses: a name that is resolved again could lead
 * elsewhere. A name with any refused address is refused.
 */
export function createCheckedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(new NoPublicAddressError(error), '')
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new NoPublicAddressError(), '')
      if (options.all) return callback(null, addresses)
      callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
}
