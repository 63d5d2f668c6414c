import { expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

const UNSAFE = 'Esc\u001b[31m\u009b2J'

it('CSV is as it was for a program, and has symbols for control characters on a terminal', async () => {
  const home = temporaryFolder()
  const run = async (line: string, { outIsTty = false } = {}, ...more: string[]) => {
    const terminal = memoryTerminal({ env: { STUDIO_HOME: home, TERM: 'dumb' }, cwd: home, outIsTty })
    const exitCode = await runCommand([...line.split(' '), ...more], terminal, new AbortController().signal)
    expect([exitCode, terminal.errors]).toEqual([0, expect.any(String)])
    return terminal.output
  }
  await run(
    'facility create --code DC1 --time-zone UTC --queue',
    {},
    'mon-sun 00:00-24:00',
    '--door',
    '1',
    '--name',
    'A',
  )
  await run('book --facility DC1 --date 2055-03-01 --reference PO-1 --type delivery', {}, '--carrier', UNSAFE)
  const list = 'appointment list --facility DC1 --from 2055-03-01 --to 2055-03-01 --format csv'
  expect(await run(list)).toContain(UNSAFE)
  const shown = await run(list, { outIsTty: true })
  expect(shown).toContain('Esc␛[31m')
  expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  expect(await run(`${list} --format ics`, { outIsTty: true })).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
})
