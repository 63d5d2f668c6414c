import { describe, expect, it } from 'vitest'
import { createAddressPolicy } from '../../../../src/docks/events/services/address-policy'
import { openWebhookSender } from '../../../../src/docks/events/services/send-webhook'
import { refuseWebhookUrl } from '../../../../src/docks/events/services/signed-requests'

const policy = createAddressPolicy([])

describe('an address that a webhook may have', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(policy.isAllowed(address)).toBe(true)
  })

  it.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '198.18.0.1', '192.0.2.1', '::', '::1', 'fe80::1', 'fe80::1%eth0'],
    ...['fd00:ec2::254', 'fc00::1', 'ff02::1', '2001:db8::1', '2002:7f00:1::', '64:ff9b::a9fe:a9fe', '2001::1'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::127.0.0.1', 'example.com', ''],
  ])('%s is not public', (address) => {
    expect(policy.isAllowed(address)).toBe(false)
  })

  it('can be one that the operator allows, and no other', () => {
    const own = createAddressPolicy(['10.1.0.0/16', '::1'])
    expect(['10.1.2.3', '10.2.2.3', '::1', '127.0.0.1'].map(own.isAllowed)).toEqual([true, false, true, false])
  })
})

describe('the URL of a webhook', () => {
  it.each<[string, string | null]>([
    ['https://tms.example.com/hooks', null],
    ['http://tms.example.com/hooks', 'must be an https address'],
    ['https://user:secret@tms.example.com/', 'must not contain a user or a password'],
    ...['127.0.0.1', '2130706433', '0x7f.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'].map(
      (host): [string, string] => [
        `https://${host}/`,
        'must not be an address of a private network or of this machine',
      ],
    ),
  ])('%s: %s', (url, refusal) => {
    expect(refuseWebhookUrl(url, policy)).toBe(refusal)
  })

  it('can be plain http only for this machine, if the operator allows that', () => {
    const local = createAddressPolicy(['127.0.0.1', '10.0.0.0/8'])
    expect(refuseWebhookUrl('http://127.0.0.1:8080/', local)).toBeNull()
    expect(refuseWebhookUrl('http://10.0.0.1/', local)).toBe('must be an https address')
  })

  it('is checked again when its host is resolved, before a connection is made', async () => {
    const sender = openWebhookSender(policy)
    // A tenant does not learn which names there are on the internal network.
    for (const host of ['localhost', 'unknown.invalid']) {
      const target = {
        url: `https://${host}:1/`,
        secret: 'whsec_AAAA',
        previous_secret: null,
        previous_secret_until: null,
      }
      expect([host, await sender.send(target, { id: 'evt_1', body: '{}' }, 0)]).toEqual([
        host,
        { error: 'the host has no public address', isGone: false },
      ])
    }
    sender.close()
  })
})
