import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder } from '../../temporary-folder'
import type { Ran } from '../program'

export const bin = resolve('bin/studio.js')
const page = readFileSync('docs/how-to/run-in-restricted-places.md', 'utf8').replace(/\s+/g, ' ')

/** Whether this system lets a test mount file systems and leave the network, which no other process notices. */
export const hasNamespaces = spawnSync('unshare', ['-rmn', 'true']).status === 0
if (!hasNamespaces)
  console.log('Mounted homes and a missing network are not tested: this machine has no namespaces for users.')

export interface Place {
  /** An empty folder, the home of the program unless `env` sets another one. */
  home: string
  /** A folder that stays as it is. */
  outside: string
  /** Runs shell commands where what they mount is seen by them alone. `studio` in them is the built program; the result of each of its runs is returned. */
  run(script: string, env?: Record<string, string>): Ran[]
}

export function openPlace({ network = true } = {}): Place {
  const folder = temporaryFolder()
  const [home, outside, results] = ['home', 'outside', 'results'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [home, outside]) mkdirSync(each)
  let scripts = 0
  const run: Place['run'] = (script, env = {}) => {
    const to = join(results, String(scripts++))
    mkdirSync(to, { recursive: true })
    const prelude = `n=0
studio() {
  code=0
  "$NODE" "$BIN" "$@" < /dev/null > "$TO/$n.out" 2> "$TO/$n.err" || code=$?
  echo $code > "$TO/$n.code"
  n=$((n + 1))
}
`
    const { status, stderr } = spawnSync('unshare', [network ? '-rm' : '-rmn', 'sh', '-euc', prelude + script], {
      cwd: outside,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        STUDIO_HOME: home,
        ...{ HOMEDIR: home, OUTSIDE: outside, NODE: process.execPath, BIN: bin, TO: to },
        ...env,
      },
    })
    expect([status, stderr]).toEqual([0, ''])
    const read = (n: number, name: string) => readFileSync(join(to, `${n}.${name}`), 'utf8')
    const ran: Ran[] = []
    for (let n = 0; existsSync(join(to, `${n}.code`)); n++)
      ran.push({ exitCode: Number(read(n, 'code')), out: read(n, 'out'), err: read(n, 'err') })
    return ran
  }
  return { home, outside, run }
}

/** Expects a failure whose message and hint are quoted in the guide, where `<home>` is the home. */
export function expectQuoted({ exitCode, err }: Ran, code: number, home = '<home>'): void {
  expect([exitCode, err]).toEqual([code, expect.stringMatching(/^error: .*\nhint: .*\n$/)])
  for (const line of err.trim().split('\n'))
    expect(page).toContain(
      line
        .replace(/^\w+: /, '')
        .replaceAll(home, '<home>')
        .replaceAll('<home>\\', '<home>/'),
    )
}
