import { describe, expect, it } from 'vitest'
import { pagerEnvironment, pagerFor, showIn } from '../../commands/terminal/pager'

const window = { outIsTty: true, canAsk: true, height: 24, env: {} as NodeJS.ProcessEnv }
const long = 'a line\n'.repeat(30)

describe('a pager', () => {
  it('shows what is longer than the window', () => {
    // Windows has no pager that shows colours and all of Unicode.
    expect(pagerFor(long, window)).toBe(process.platform === 'win32' ? null : 'less')
    expect(pagerFor(long, { ...window, env: { PAGER: 'most -w' } })).toBe('most -w')
  })

  it.each([
    ['what fits', 'a line\n', window],
    ['in a pipe', long, { ...window, outIsTty: false }],
    ['a terminal on which no key can be pressed', long, { ...window, canAsk: false }],
    ['on a dumb terminal', long, { ...window, env: { TERM: 'dumb' } }],
    ['where it is switched off', long, { ...window, env: { PAGER: '' } }],
    ['where it is the plain copy', long, { ...window, env: { PAGER: 'cat' } }],
  ])('is not used for %s', (_, text, terminal) => {
    expect(pagerFor(text, terminal)).toBeNull()
  })

  it.runIf(process.platform === 'win32')(
    'that does not exist or fails on Windows lets the text be printed',
    async () => {
      expect(await showIn('studio-no-such-pager 2>nul', long, process.env)).toBe(false)
      expect(await showIn('exit 1', long, process.env)).toBe(false)
      expect(await showIn('exit 0', long, process.env)).toBe(true)
    },
  )

  it.skipIf(process.platform === 'win32')(
    'that does not exist is distinguished from one that the user quit',
    async () => {
      expect(await showIn('studio-no-such-pager 2>/dev/null', long, process.env)).toBe(false)
      expect(await showIn('head -n 1 > /dev/null', long.repeat(10_000), process.env)).toBe(true)
      expect(await showIn('exit 3', long, process.env)).toBe(true)
    },
  )

  it('gets NO_COLOR for --no-color', () => {
    expect(pagerEnvironment({ NO_COLOR: '1' }, false)).toMatchObject({ NO_COLOR: '1' })
    const env = pagerEnvironment({ FORCE_COLOR: '1', PATH: '/bin' }, true)
    expect(env).toEqual({ NO_COLOR: '1', PATH: '/bin', LESS: 'FRX' })
  })

  it('shows colours, whatever options less has', () => {
    expect(pagerEnvironment({ LESS: '' }, false)['LESS']).toBe('-R ')
    expect(pagerEnvironment({ LESS: '-X -Pprompt' }, false)['LESS']).toBe('-R -X -Pprompt')
  })
})
