import { version } from './version'

/** The process: runs the command and sets the exit code. The version is told without loading anything. */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version}\n`)
    return
  }
  const [{ runCommand }, { processTerminal }] = await Promise.all([import('./command-line'), import('./terminal')])
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  process.exitCode = await runCommand(argv, processTerminal(), controller.signal)
  process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop)
}
