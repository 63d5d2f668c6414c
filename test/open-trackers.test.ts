import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStudio, type StudioOptions } from '../src/studio'
import type { Tracker } from '../src/tracker'
import { TRACKER_KINDS } from '../src/tracker/adapters'
import { temporaryFolder } from './temporary-folder'
import { errorOf, never } from './tracker/azure-devops/fixtures'
import { startStub } from './tracker/azure-devops/stub-server'

const actor = { kind: 'terminal', tenant: 'default' } as const

function openWith(trackers: object, options: Partial<StudioOptions> = {}) {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.json'), JSON.stringify({ trackers }))
  const studio = openStudio({ env: { STUDIO_HOME: home }, cwd: home, ...options })
  return { studio, context: studio.context({ actor }) }
}

describe('the trackers of a workspace', () => {
  it('are known without opening them, without the credentials of their addresses', () => {
    const { context } = openWith({
      jira: { url: 'https://ana:secret@tracker.example.com/works/', project: 'Harbor' },
      gh: { url: 'https://github.com/acme/harbor' },
    })
    expect(context.furtherTrackers).toEqual([
      { name: 'gh', kind: 'github', url: 'https://github.com/acme/harbor', project: null },
      { name: 'jira', kind: 'azure-devops', url: 'https://tracker.example.com/works', project: 'Harbor' },
    ])
  })

  it('are opened once each by their names, the default one without a name, and closed at the end', async () => {
    const closed: string[] = []
    const open = (name: string) => async () =>
      ({ name, close: async () => void closed.push(name) }) as unknown as Tracker
    const gh = { name: 'gh', kind: 'github', url: 'https://github.com/acme', project: 'harbor' } as const
    const other = { ...gh, name: 'other' }
    const { studio, context } = openWith(
      {},
      {
        openTracker: open('default'),
        furtherTrackers: [
          { ...gh, open: open('gh') },
          { ...other, open: open('other') },
        ],
      },
    )
    expect(context.furtherTrackers).toEqual([gh, other])
    expect((await context.tracker('gh')).name).toBe('gh')
    expect(await context.tracker('gh')).toBe(await studio.context({ actor }).tracker('gh'))
    expect((await context.tracker()).name).toBe('default')
    await studio.close()
    expect(closed.sort()).toEqual(['default', 'gh'])
  })

  it('are opened with the adapter of their kind', async () => {
    const { studio, context } = openWith({ gh: { url: 'https://github.com/acme/harbor' } })
    expect(await context.tracker('gh')).toMatchObject({ kind: 'github', name: expect.stringContaining('acme/harbor') })
    await studio.close()
  })

  it.each(TRACKER_KINDS)('name their own settings in errors, never those of the default one: %s', async (kind) => {
    const project = kind === 'github' ? 'harbor' : 'HAR'
    const expected = { 401: 'STUDIO_TRACKER_TOKEN_FAR', 403: 'STUDIO_TRACKER_TOKEN_FAR', 404: 'trackers.far.url' }
    for (const [status, name] of Object.entries(expected)) {
      const { url } = await startStub(() => ({ status: Number(status), text: '' }))
      const { studio, context } = openWith({ far: { kind, url, project } })
      const { hint } = await errorOf((await context.tracker('far')).probe(never))
      expect(hint).toContain(name)
      expect(hint).not.toMatch(/STUDIO_TRACKER_(?!TOKEN_FAR)/)
      await studio.close()
    }
  })

  it('are refused by another name, with the names that exist', async () => {
    const { studio, context } = openWith({ gh: { url: 'https://github.com/acme/harbor' } })
    await expect(context.tracker('jira')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('"jira"'),
      hint: expect.stringMatching(/gh.*studio init --add jira/),
    })
    await studio.close()
  })
})
