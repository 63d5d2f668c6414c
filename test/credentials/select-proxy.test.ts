import { describe, expect, it } from 'vitest'
import { selectProxy } from '../../src/credentials'

const proxies = { http: 'http://plain.example:3128', https: 'http://ana:secret@secure.example:3129', except: '' }

describe('the proxy for an address', () => {
  it.each([
    ['http://tracker.example', proxies, 'plain.example:3128'],
    ['https://tracker.example', proxies, 'secure.example:3129'],
    ['https://tracker.example', { ...proxies, https: null }, 'plain.example:3128'],
    ['http://tracker.example', { ...proxies, http: null }, undefined],
    ['http://tracker.example', null, undefined],
    ['http://localhost:7000', proxies, undefined],
    ['http://127.0.0.1', proxies, undefined],
    ['http://[::1]:7000', proxies, undefined],
  ])('%s, with %j, is %s', (address, settings, host) => expect(selectProxy(address, settings)?.host).toBe(host))

  it.each([
    ['*', 'https://tracker.example'],
    ['tracker.example', 'https://tracker.example:8443'],
    ['Tracker.Example', 'https://tracker.example'],
    ['corp.example', 'https://tracker.corp.example'],
    ['.corp.example', 'https://tracker.corp.example'],
    ['*.corp.example', 'https://tracker.corp.example'],
    ['.corp.example', 'https://corp.example'],
    ['other.example,tracker.example', 'https://tracker.example'],
    [' other.example , tracker.example ', 'https://tracker.example'],
    ['other.example tracker.example', 'https://tracker.example'],
    ['tracker.example:8443', 'https://tracker.example:8443'],
    ['tracker.example:443', 'https://tracker.example'],
    ['tracker.example:80', 'http://tracker.example'],
    ['10.0.0.5', 'http://10.0.0.5:8080'],
    ['[2001:db8::5]', 'http://[2001:db8::5]'],
    ['[2001:db8::5]:8080', 'http://[2001:db8::5]:8080'],
    ['2001:db8::5', 'http://[2001:db8::5]'],
    ['2001:DB8:0:0::5', 'http://[2001:db8::5]:8080'],
    ['2001:db8::443', 'https://[2001:db8::443]'],
    ['10.0.0.0/8', 'http://10.1.2.3:8080'],
    ['10.0.0.0/8:8080', 'http://10.1.2.3:8080'],
    ['0.0.0.0/0', 'http://10.1.2.3'],
    ['2001:db8::/32', 'http://[2001:db8:1::5]'],
    ['[2001:db8::]/32', 'http://[2001:db8:1::5]'],
    ['tracker.example', 'https://tracker.example.'],
    ['tracker.example.', 'https://tracker.example'],
    ['other.example,*', 'https://tracker.example'],
  ])('is none if NO_PROXY is "%s", for %s', (except, address) => {
    expect(selectProxy(address, { ...proxies, except })).toBeNull()
  })

  it.each([
    ['', 'https://tracker.example'],
    [' , ', 'https://tracker.example'],
    ['.', 'https://tracker.example'],
    ['racker.example', 'https://tracker.example'],
    ['.tracker.example', 'https://other-tracker.example'],
    ['tracker.example.com', 'https://tracker.example'],
    ['tracker.example:8443', 'https://tracker.example'],
    ['tracker.example:443', 'http://tracker.example'],
    ['*:8443', 'https://tracker.example'],
    ['2001:db8::5', 'http://[2001:db8::5:0]'],
    ['0.0.5', 'http://10.0.0.5'],
    ['10.0.0.0/16', 'http://10.1.2.3'],
    ['10.0.0.0/33', 'http://10.0.0.0'],
    ['10.0.0.0/', 'http://10.0.0.0'],
    ['10.0.0.0/8', 'https://10.example'],
    ['example/8', 'http://10.0.0.5'],
    ['::/0', 'http://10.0.0.5'],
  ])('is there if NO_PROXY is "%s", for %s', (except, address) => {
    expect(selectProxy(address, { ...proxies, except })).not.toBeNull()
  })
})
