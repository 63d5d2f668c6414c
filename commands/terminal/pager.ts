import { spawn } from 'node:child_process'
import type { Terminal } from '../start/invocation'

/** Windows has no pager that shows colours and all of Unicode. */
const DEFAULT_PAGER = process.platform === 'win32' ? '' : 'less'

/** The program that shows a text that is longer than the window; null if the text is printed directly. */
export function pagerFor(
  text: string,
  terminal: Pick<Terminal, 'outIsTty' | 'canAsk' | 'height' | 'env'>,
): string | null {
  const { outIsTty, canAsk, height, env } = terminal
  if (!outIsTty || !canAsk || env['TERM'] === 'dumb' || lines(text) < height) return null
  const pager = env['PAGER'] ?? DEFAULT_PAGER
  return pager === '' || pager === 'cat' ? null : pager
}

function lines(text: string): number {
  return text.split('\n').length
}

/**
 * The environment that the pager starts with. `--no-color` reaches it as NO_COLOR, because a pager such as bat adds colours of its own.
 * LESS always has R: without it less prints our colours as escape codes. It comes first, because a prompt in LESS takes all that follows.
 */
export function pagerEnvironment(env: NodeJS.ProcessEnv, noColor: boolean): NodeJS.ProcessEnv {
  const { FORCE_COLOR, ...rest } = env
  const colors = noColor ? { ...rest, NO_COLOR: '1' } : env
  return { ...colors, LESS: env['LESS'] === undefined ? 'FRX' : `-R ${env['LESS']}` }
}

/** Shows the text until the user quits the pager. False if the pager does not exist. */
export function showIn(pager: string, text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const program = spawn(pager, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env,
    })
    program.once('error', () => resolve(false))
    program.once('exit', (code) => resolve(!isMissing(code)))
    program.stdin.on('error', () => {}) // The user quit before the end.
    program.stdin.end(text)
  })
}

/** How a shell ends if there is no such program. For cmd.exe it is an ordinary error, so there the text of a pager that failed is printed. */
function isMissing(code: number | null): boolean {
  return process.platform === 'win32' ? code !== 0 : code === 127 || code === 126
}
