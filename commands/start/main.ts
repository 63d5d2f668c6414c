import { processTerminal } from '../terminal/terminal'
import { useCompileCache } from './compile-cache'
import type { Terminal } from './invocation'
import { getStopSignals } from './stop-signals'
import { watchStandardStreams } from './stream-errors'
import { version } from './version'

/** Runs the command of the process and sets the exit code. `--version` loads nothing else. */
export async function main(argv: readonly string[]): Promise<void> {
  const terminal = processTerminal(() => watchStandardStreams(argv, terminal))
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) return terminal.out(`${version}\n`)
  if (!('WebAssembly' in globalThis)) return refuseToRun(terminal)
  // Then cmd runs no editor, pager or command of the user from the current folder, which may be a stranger's.
  if (process.platform === 'win32') process.env['NoDefaultCurrentDirectoryInExePath'] ??= '1'
  if (await answersQuickly(argv, terminal)) return
  watchStandardStreams(argv, terminal)
  const { runCommand } = await import('./command-line')
  const controller = new AbortController()
  const stop = () => controller.abort()
  const signals = getStopSignals()
  for (const signal of signals) process.once(signal, stop)
  process.exitCode = await runCommand(argv, terminal, controller.signal)
  for (const signal of signals) process.removeListener(signal, stop)
}

function refuseToRun(terminal: Terminal): void {
  terminal.err('error: Node.js runs without WebAssembly, which the database needs.\n')
  terminal.err('hint: Remove --jitless from NODE_OPTIONS.\n')
  process.exitCode = 1
}

/** The most frequent commands have files of their own, which load faster. */
async function answersQuickly(argv: readonly string[], terminal: Terminal): Promise<boolean> {
  const completes = argv[0] === '__complete'
  if (!completes && asksForHelp(argv)) return (await import('./quick-help')).quickHelp(argv, terminal)
  useCompileCache()
  if (completes) return (await import('../completion/quick-completion')).quickCompletion(argv, terminal)
  if (argv[0] === 'search') return (await import('./quick-search')).quickSearch(argv, terminal)
  if (argv[0] === 'draft' && argv[1] === 'list') return (await import('./quick-drafts')).quickDrafts(argv, terminal)
  if (argv[0] === 'folder' && argv[1] === 'list') return (await import('./quick-folders')).quickFolders(argv, terminal)
  return false
}

function asksForHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv[0] === 'help' || argv.some((word) => word === '--help' || word === '-h')
}
