import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { StudioLibrary } from '../../src/library'
import { temporaryFolder } from '../temporary-folder'

interface Library {
  openStudio(options: { env: Record<string, string>; cwd: string }): StudioLibrary
  StudioError: new (...args: never[]) => Error
}

async function opened(): Promise<{ library: Library; studio: StudioLibrary }> {
  const library = (await import(pathToFileURL('dist/index.cjs').href)) as Library
  const home = temporaryFolder()
  return { library, studio: library.openStudio({ env: { STUDIO_HOME: home }, cwd: home }) }
}

describe('the library', () => {
  it('does what the commands do, in the program’s own process', async () => {
    const { studio } = await opened()
    expect(await studio.call('features.import', { featureId: 101 })).toMatchObject({ feature: { id: 101 } })
    expect(await studio.call('drafts.copy-sanitize', { id: 204 })).toMatchObject({ id: 1, sourceItemId: 204 })
    expect(await studio.call('drafts.list')).toMatchObject([{ id: 1 }])
    await studio.close()
  })

  it('fails with its own error and a hint', async () => {
    const { library, studio } = await opened()
    const failure = await studio.call('drafts.get', { id: 7 }).catch((error) => error)
    expect(failure).toBeInstanceOf(library.StudioError)
    expect(failure).toMatchObject({ code: 'not_found', hint: expect.any(String) })
    await expect(studio.call('drafts.get', { id: 'x' as never })).rejects.toMatchObject({ code: 'invalid' })
    await expect(studio.call('constructor' as never)).rejects.toMatchObject({ code: 'not_found' })
    await studio.close()
  })

  it('creates nothing before the first call', async () => {
    const home = temporaryFolder()
    const { openStudio } = (await import(pathToFileURL('dist/index.cjs').href)) as Library
    const studio = openStudio({ env: { STUDIO_HOME: join(home, 'none') }, cwd: home })
    expect(studio.operations).toContain('search.fast')
    await studio.close()
    expect(readdirSync(home)).toEqual([])
  })
})
