import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { saveSyncFailure, saveSyncSuccess } from '../../src/items/queries'
import { openStudio } from '../../src/studio'

describe('studio item list', () => {
  let home: string
  const run = async (...argv: string[]) => {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
    const exitCode = await runCommand(argv, terminal, new AbortController().signal)
    return { exitCode, out: terminal.output, err: terminal.errors }
  }
  const linesOf = (out: string) => out.split('\n').filter(Boolean)

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'studio-list-'))
    await run('import', '101')
    await run(
      'view',
      'save',
      'stories',
      '--type',
      'story',
      '--columns',
      'id,points',
      '--columns',
      'state',
      '--sort',
      '-id',
    )
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  it('says why its items are old if the sync of a service fails', async () => {
    const before = await run('item', 'list')
    expect(before.err).not.toContain('sync')
    const studio = openStudio({ env: { STUDIO_HOME: home }, cwd: home })
    const failure = {
      failures: 3,
      code: 'tracker_token',
      text: 'The token has expired.',
      dueAt: '2026-11-27T10:00:00Z',
    }
    await studio.db.write((tx) => saveSyncFailure(tx, 1, failure))
    await studio.close()
    const after = await run('item', 'list')
    expect(after.out).toBe(before.out)
    expect(after.err).toContain('because the last sync failed: The token has expired.')
    expect((await run('report', 'hierarchy')).err).toContain('The token has expired.')
    expect((await run('item', 'list', '--quiet')).err).not.toContain('The token has expired.')
    const again = openStudio({ env: { STUDIO_HOME: home }, cwd: home })
    await again.db.write((tx) => saveSyncSuccess(tx, 1, '2026-11-27T10:00:00Z'))
    await again.close()
  })

  it('shows the chosen columns, sorted by several fields', async () => {
    const { out } = await run(
      'item',
      'list',
      '--type',
      'story',
      '--sort',
      'state,-points',
      '--columns',
      'state,points,id',
    )
    expect(linesOf(out).slice(0, 4)).toEqual([
      'STATE    PTS   ID',
      'Active     8  204',
      'Active     5  205',
      'Closed     8  202',
    ])
  })

  it('takes several values by repeating a flag or by commas', async () => {
    const byCommas = await run('item', 'list', '--state', 'New,Removed', '--type', 'task')
    const byFlags = await run('item', 'list', '--state', 'New', '--type', 'task', '--state', 'Removed')
    expect(byFlags).toEqual(byCommas)
    expect(byFlags.out).toContain('6 items')
  })

  it('has the filter, columns and order of a view, unless other ones are typed', async () => {
    const { out } = await run('item', 'list', '--view', 'Stories')
    expect(linesOf(out).slice(0, 2)).toEqual([' ID  PTS  STATE', '207    3  Removed'])
    const typed = await run('item', 'list', '--view', '1', '--columns', 'id', '--sort', 'id', '--state', 'open')
    expect(linesOf(typed.out).slice(0, 3)).toEqual([' ID', '204', '205'])
    expect(JSON.parse((await run('item', 'list', '--view', '1', '--json')).out)[0]).toMatchObject({
      id: 207,
      type: 'User Story',
    })
  })

  it.each([
    [['--columns', 'id,nope'], 2, '"nope" is not a field of the tracker'],
    [['--columns', 'id,nope'], 2, '--columns'],
    [['--columns', 'id,nope'], 2, 'Every work item has id, rev, type, title'],
    [['--columns', 'id', '--json'], 2, 'use --fields'],
    [['--view', 'nope'], 3, 'There is no saved view nope'],
    [['--view', '1', '--filter', 'working'], 2, 'not both'],
    [['--parent', 'x'], 2, 'must be IDs'],
  ])('refuses %j', async (flags, exitCode, message) => {
    expect(await run('item', 'list', ...flags)).toMatchObject({
      exitCode,
      out: '',
      err: expect.stringContaining(message),
    })
  })
})
