import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { program } from '../contract/program'
import { isLong, momentsUpTo } from './moments'

describe('several processes on one draft', () => {
  it('report a conflict to all but one that edited the same version', async () => {
    const studio = await program()
    const { updatedAt } = await studio.json(['draft', 'save', '--title', 'a'])
    const saves = ['b', 'c', 'd', 'e'].map((title) =>
      studio.run(['draft', 'save', '--id', '1', '--title', title, '--updated-at', updatedAt]),
    )
    const exits = (await Promise.all(saves)).map(({ exitCode }) => exitCode).sort()
    expect(exits).toEqual([0, 5, 5, 5])
    expect((await studio.json(['draft', 'history', '1'])).versions).toHaveLength(2)
  })

  it('all save without a version check, and every text is in the history', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'a'])
    const titles = ['b', 'c', 'd', 'e', 'f']
    await Promise.all(titles.map((title) => studio.json(['draft', 'save', '--id', '1', '--title', title])))
    const { versions } = await studio.json(['draft', 'history', '1'])
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([6, 5, 4, 3, 2, 1])
    expect(new Set(versions.map(({ content }: any) => content.title))).toEqual(new Set(['a', ...titles]))
  })
})

describe('a process that is killed', () => {
  it('while it saves leaves either the old or the new draft, with a complete history', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', '0'])
    for (const [n, moment] of momentsUpTo(300, isLong ? 60 : 6).entries()) {
      const running = studio.start(['draft', 'save', '--id', '1', '--title', String(n + 1)])
      await sleep(moment)
      running.kill('SIGKILL')
      await running
      const { versions } = await studio.json(['draft', 'history', '1'])
      expect(versions[0].version).toBe(versions.length)
      expect(versions[0].content.title).toBe((await studio.json(['draft', 'get', '1'])).title)
    }
  })

  it('while it deletes a folder never leaves a draft without a folder', async () => {
    const studio = await program()
    for (const [n, moment] of momentsUpTo(300, isLong ? 60 : 4).entries()) {
      const { id } = await studio.json(['folder', 'create', `f${n}`])
      await studio.json(['draft', 'save', '--title', String(n), '--folder', String(id)])
      const running = studio.start(['folder', 'delete', String(id), '--move-to', '1', '--yes'])
      await sleep(moment)
      running.kill('SIGKILL')
      await running
      const folders = new Set((await studio.json(['folder', 'list'])).map((folder: { id: number }) => folder.id))
      for (const draft of await studio.json(['draft', 'list'])) expect(folders).toContain(draft.folderId)
    }
  })
})
