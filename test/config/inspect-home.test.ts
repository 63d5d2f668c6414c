import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config'
import { inspectHome } from '../../src/config/services/inspect-home'
import { temporaryFolder } from '../temporary-folder'

function home() {
  const folder = temporaryFolder()
  const settings = loadSettings({ env: { STUDIO_HOME: folder }, cwd: folder })
  return { folder, inspect: (node?: string) => inspectHome(settings, node) }
}

const levels = (findings: { level: string }[]) => findings.map(({ level }) => level)

describe('the check of the home', () => {
  it('finds no problem before the first use, and creates nothing', () => {
    const { folder, inspect } = home()
    rmSync(folder, { recursive: true })
    expect(levels(inspect('20.19.0'))).toEqual(['ok', 'ok', 'ok'])
    expect(readdirSync(join(folder, '..'))).not.toContain(folder.split('/').at(-1))
  })

  it.each([
    ['18.20.0', 'problem'],
    ['20.18.3', 'problem'],
    ['20.19.0', 'ok'],
    ['21.7.3', 'problem'],
    ['22.2.0', 'problem'],
    ['22.3.0', 'ok'],
    ['24.0.0', 'ok'],
    ['26.0.0', 'ok'],
  ])('reports Node.js %s as %s', (version, level) => {
    expect(home().inspect(version)[0]).toMatchObject({ about: 'node', level })
  })

  it.skipIf(process.platform === 'win32')('reports files that others can read or change', () => {
    const { folder, inspect } = home()
    chmodSync(folder, 0o777)
    expect(inspect()).toContainEqual(expect.objectContaining({ level: 'warning', fix: `chmod go-w ${folder}` }))
    chmodSync(folder, 0o700)
    const database = join(folder, 'studio.db')
    writeFileSync(database, '')
    chmodSync(database, 0o644)
    expect(inspect()).toContainEqual(expect.objectContaining({ level: 'warning', fix: `chmod 600 ${database}` }))
    chmodSync(database, 0o600)
    expect(levels(inspect())).toEqual(['ok', 'ok', 'ok'])
    mkdirSync(join(folder, 'state'))
    expect(inspect()[2]).toMatchObject({ message: expect.stringContaining('mode 7') })
  })

  it('reports a file in the place of a folder', () => {
    const { folder, inspect } = home()
    writeFileSync(join(folder, 'state'), '')
    expect(inspect()).toContainEqual(
      expect.objectContaining({ level: 'problem', message: expect.stringContaining('not a folder') }),
    )
  })
})
