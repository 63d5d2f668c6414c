import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'studio-tree-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

it('studio draft publish-tree shows and publishes the files of a folder', async () => {
  const run = async (...argv: string[]) => {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
    const exitCode = await runCommand(['draft', 'publish-tree', ...argv], terminal, new AbortController().signal)
    return { exitCode, out: terminal.output, err: terminal.errors }
  }
  const folder = await mkdtemp(join(home, 'stories-'))
  await writeFile(join(folder, 'a.md'), '# Tree story\n\n- [ ] Tree task\n')
  await writeFile(join(folder, 'b.md'), '# Tree other\npoints: no\n')
  const plan = await run(folder, '--parent', '101', '--dry-run')
  expect(plan.out.replace(/\s+/g, ' ')).toContain('new be created Task Tree task')
  expect(plan.out).toContain('points: must be a number')
  expect((await run(folder, '--parent', '101', '--yes')).exitCode).toBe(2)
  const one = join(folder, 'a.md')
  expect(await run(one, '--parent', '101', '--yes')).toMatchObject({ exitCode: 0 })
  expect((await run(one, '--parent', '101', '--yes')).out).toContain('0 created, 0 updated, 2 unchanged.')
})
