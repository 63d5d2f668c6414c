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
  ])('is there if NO_PROXY is "%s", for %s', (except, address) => {
    expect(selectProxy(address, { ...proxies, except })).not.toBeNull()
  })
})
