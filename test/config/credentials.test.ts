import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config'
import { getCredentialsFile, readTrackerToken } from '../../src/config/services/credentials'
import { saveTrackerToken } from '../../src/config/services/store-token'
import { expectOwnerOnly } from '../file-mode'
import { temporaryFolder } from '../temporary-folder'

const URL = 'https://tracker.example.com/org'
let place: { env: NodeJS.ProcessEnv; cwd: string }
let file: string

beforeEach(async () => {
  const home = temporaryFolder()
  place = { env: { STUDIO_HOME: home, STUDIO_TRACKER_URL: URL }, cwd: home }
  const { paths } = loadSettings(place)
  file = getCredentialsFile(paths)
  await saveTrackerToken(paths, { url: URL, token: 'stored-token' })
})

describe('a stored token', () => {
  it('is in a file that only the user can read', () => {
    expectOwnerOnly(file)
    expect(readFileSync(file, 'utf8')).toContain('stored-token')
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('is used for its own address only', () => {
    expect(loadSettings(place).tracker.token).toBe('stored-token')
    place.env['STUDIO_TRACKER_URL'] = `${URL}/`
    expect(loadSettings(place).tracker.token).toBe('stored-token')
    place.env['STUDIO_TRACKER_URL'] = 'https://tracker.example.com/other'
    expect(loadSettings(place).tracker.token).toBeNull()
    writeFileSync(join(place.cwd, 'studio.config.json'), JSON.stringify({ tracker: { url: 'https://evil.example' } }))
    place.env['STUDIO_TRACKER_URL'] = ''
    expect(() => loadSettings(place)).toThrow(/sets tracker\.url/)
  })

  it('is stored beside those of other addresses, and replaces one of the same address', async () => {
    const { paths } = loadSettings(place)
    const others = Array.from({ length: 5 }, (_, index) => ({ url: `${URL}-${index}`, token: `token-${index}` }))
    await Promise.all(others.map((other) => saveTrackerToken(paths, other)))
    await saveTrackerToken(paths, { url: URL, token: 'new-token' })
    expect(others.map(({ url }) => readTrackerToken(paths, url))).toEqual(others.map(({ token }) => token))
    expect(readTrackerToken(paths, URL)).toBe('new-token')
  })

  it('is used for a further tracker', () => {
    writeFileSync(join(place.cwd, 'config.json'), JSON.stringify({ trackers: { gh: { url: `${URL}/` } } }))
    expect(loadSettings(place).trackers).toMatchObject([{ name: 'gh', token: 'stored-token' }])
  })

  it('is overridden by the variable', () => {
    place.env['STUDIO_TRACKER_TOKEN'] = 'of-variable'
    expect(loadSettings(place).tracker.token).toBe('of-variable')
  })

  // Windows has no modes; test/storage/access-rights.test.ts is about its access lists.
  it.skipIf(process.platform === 'win32')('is refused if other users can read it', () => {
    chmodSync(file, 0o644)
    expect(() => ({ ...loadSettings(place) })).toThrow(/other users can read it/)
  })

  it.each(['{', '{"tracker":{"url":1}}', '[]'])('is refused where the file is damaged: %s', (text) => {
    writeFileSync(file, text)
    expect(() => ({ ...loadSettings(place) })).toThrow(/has an unexpected format/)
  })
})
