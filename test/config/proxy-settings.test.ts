import { describe, expect, it } from 'vitest'
import { readProxySettings } from '../../src/config/services/proxy-settings'

describe('the proxy settings', () => {
  it.each([
    [{}, null],
    [{ NO_PROXY: '*' }, null],
    [{ HTTPS_PROXY: '' }, null],
    [{ HTTPS_PROXY: 'http://p.example:3128' }, { http: null, https: 'http://p.example:3128', except: '' }],
    [{ HTTP_PROXY: 'p.example:3128' }, { http: 'http://p.example:3128', https: null, except: '' }],
    [
      { https_proxy: 'http://lower.example', HTTPS_PROXY: 'http://upper.example', no_proxy: 'a,b' },
      { http: null, https: 'http://lower.example', except: 'a,b' },
    ],
  ])('are read from %j', (env, settings) => expect(readProxySettings(env)).toEqual(settings))

  it.each(['socks5://p.example:1080', 'http://', 'http://user:secret@:0:'])(
    'refuses %s without repeating it',
    (value) => {
      expect(() => readProxySettings({ HTTPS_PROXY: value })).toThrow(
        'HTTPS_PROXY is not the address of an http or https proxy.',
      )
    },
  )
})
