import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { printFigure, ratioInTurn } from './figures'

const ROUNDS = 15

/** Whole processes of the built program, against an empty Node. */
export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  const bin = resolve('bin/studio.js')
  const timed = (args: string[]) => async () => {
    const startedAt = performance.now()
    execFileSync(process.execPath, args, { env: { ...process.env, STUDIO_HOME: home }, stdio: 'ignore' })
    return performance.now() - startedAt
  }
  const empty = timed(['-e', '0'])
  try {
    await timed([bin, 'import', '101'])()
    printFigure({
      name: 'studio --version ÷ node -e 0',
      value: await ratioInTurn(ROUNDS, timed([bin, '--version']), empty),
      atMost: 1.3,
    })
    printFigure({ name: 'studio --help ÷ node -e 0', value: await ratioInTurn(ROUNDS, timed([bin, '--help']), empty) })
    printFigure({
      name: 'studio draft list --json ÷ node -e 0',
      value: await ratioInTurn(ROUNDS, timed([bin, 'draft', 'list', '--json']), empty),
    })
    printFigure({
      name: 'studio search door ÷ node -e 0',
      value: await ratioInTurn(ROUNDS, timed([bin, 'search', 'door']), empty),
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
