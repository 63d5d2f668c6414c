import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import type { Ran } from '../program'
import { bin, expectQuoted, openPlace } from './namespace'

/** Runs a command in a folder that is removed before it starts. */
function runWhereNothingIs(command: string, home: string): Ran {
  const script = `mkdir gone && cd gone && rmdir ../gone && "$0" "$1" ${command} 2>&1 || echo "code $?"`
  const env = { PATH: process.env['PATH'], STUDIO_HOME: home }
  const out = execFileSync('sh', ['-c', script, process.execPath, bin], { cwd: home, env, encoding: 'utf8' })
  const [err = '', code = '0'] = out.split('code ')
  return { exitCode: Number(code), out, err }
}

// Windows does not remove the current folder of a process.
it.skipIf(process.platform === 'win32')('a current folder that was removed is reported by what needs it', () => {
  const { home } = openPlace()
  expect(runWhereNothingIs('--version', home)).toMatchObject({ exitCode: 0 })
  expect(runWhereNothingIs('draft save --help', home)).toMatchObject({ exitCode: 0 })
  for (const command of ['draft list', 'draft save --title First', 'search First', 'backup copy.db', 'doctor'])
    expectQuoted(runWhereNothingIs(command, home), 2)
})
