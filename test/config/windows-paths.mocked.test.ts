import { win32 } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resolveDatabaseAddress } from '../../src/config/services/load-settings'
import { findProjectFile, resolvePaths } from '../../src/config/services/paths'
import { loadServeSettings } from '../../src/config/services/serve-settings'
import { segmentPath } from '../../src/storage/embedded/log/segments'
import { resolveCopyLocations } from '../../src/storage/services/storage-locations'

// The same code with the path rules of Windows.
vi.mock('node:path', async (original) => {
  const path = await original<typeof import('node:path')>()
  return { ...path.win32, default: path.win32 }
})
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  homedir: () => 'C:\\Users\\Ana Lee',
}))

const platform = Object.getOwnPropertyDescriptor(process, 'platform')!
beforeEach(() => {
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
})
afterEach(() => {
  Object.defineProperty(process, 'platform', platform)
})

const cwd = 'C:\\work\\backlog'

describe('paths on Windows', () => {
  it('are in the local application data', () => {
    expect(resolvePaths({ LOCALAPPDATA: 'D:\\Profiles\\ana\\Local' })).toEqual({
      data: 'D:\\Profiles\\ana\\Local\\studio',
      config: 'D:\\Profiles\\ana\\Local\\studio',
      state: 'D:\\Profiles\\ana\\Local\\studio\\state',
    })
    for (const env of [{}, { LOCALAPPDATA: '' }])
      expect(resolvePaths(env).data).toBe('C:\\Users\\Ana Lee\\AppData\\Local\\studio')
    expect(resolvePaths({ STUDIO_HOME: 'E:\\studio' })).toEqual({
      data: 'E:\\studio',
      config: 'E:\\studio',
      state: 'E:\\studio\\state',
    })
  })

  it.each([
    ['studio.db', 'C:\\work\\backlog\\studio.db'],
    ['.\\data\\studio.db', 'C:\\work\\backlog\\data\\studio.db'],
    ['data/studio.db', 'C:\\work\\backlog\\data\\studio.db'],
    ['C:\\data\\studio.db', 'C:\\data\\studio.db'],
    ['D:/data/studio.db', 'D:/data/studio.db'],
    ['\\\\server\\share\\studio.db', '\\\\server\\share\\studio.db'],
  ])('identify a database: %s', (typed, path) => {
    expect(resolveDatabaseAddress(typed, { cwd, name: 'STUDIO_DB' })).toBe(path)
  })

  it('distinguish a drive from a scheme', () => {
    expect(() => resolveDatabaseAddress('mysql://host/db', { cwd, name: 'STUDIO_DB' })).toThrow(
      'STUDIO_DB must be the path',
    )
    expect(resolveDatabaseAddress('postgres://host/db', { cwd, name: 'STUDIO_DB' })).toBe('postgres://host/db')
  })

  it('resolve the log file of a server', () => {
    const settings = loadServeSettings({ env: {}, cwd }, { logFile: 'logs\\studio.log' })
    expect(settings.logFile).toBe('C:\\work\\backlog\\logs\\studio.log')
  })

  it('search the project file up to the drive', () => {
    expect(findProjectFile('Q:\\nowhere\\at\\all')).toBeNull()
  })

  it('protect the files of the database, in any spelling', () => {
    const current = 'C:\\work\\backlog\\studio.db'
    const places = {
      current,
      protectedFiles: [],
      resolveAddress: (typed: string) => resolveDatabaseAddress(typed, { cwd, name: '--to' }),
    }
    for (const typed of [
      'studio.db',
      '..\\backlog\\studio.db',
      'studio.db.search\\1.seg',
      win32.basename(segmentPath(current, 3)),
    ])
      expect(() => resolveCopyLocations(places as never, typed), typed).toThrow('belongs to the database itself')
    expect(resolveCopyLocations(places as never, 'copy.db').copy).toBe('C:\\work\\backlog\\copy.db')
  })
})
