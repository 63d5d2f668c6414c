import { Chalk, type ChalkInstance, supportsColor, supportsColorStderr } from 'chalk'

/** Colours by meaning, so that every view uses the same. */
export interface Colors {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  warn(text: string): string
  bad(text: string): string
  accent(text: string): string
  hit(text: string): string
}

export function colorsFor(
  stream: 'out' | 'err',
  given: { isTty: boolean; env: NodeJS.ProcessEnv; noColor: boolean },
): Colors {
  return createColors(new Chalk({ level: levelOf(stream, given) }))
}

/** `--no-color` beats FORCE_COLOR, FORCE_COLOR beats NO_COLOR, and a pipe has no colour. */
function levelOf(
  stream: 'out' | 'err',
  given: { isTty: boolean; env: NodeJS.ProcessEnv; noColor: boolean },
): 0 | 1 | 2 | 3 {
  const { isTty, env, noColor } = given
  if (noColor) return 0
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : 1
  if (env['NO_COLOR'] || env['TERM'] === 'dumb' || !isTty) return 0
  const support = stream === 'out' ? supportsColor : supportsColorStderr
  return support ? support.level : 0
}

function createColors(chalk: ChalkInstance): Colors {
  return {
    strong: chalk.bold,
    faint: chalk.dim,
    good: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    accent: chalk.cyan,
    hit: chalk.bold.yellow,
  }
}
