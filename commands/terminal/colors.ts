import { Chalk, supportsColor, supportsColorStderr } from 'chalk'
import type { Invocation } from '../start/invocation'
import type { Canvas, Colors } from './layout'

/** How results are drawn on standard output, and notices on standard error. */
export function canvasFor(stream: 'out' | 'err', { flags, terminal }: Pick<Invocation, 'flags' | 'terminal'>): Canvas {
  const isTty = stream === 'out' ? terminal.outIsTty : terminal.canAsk
  const colors = colorsFor(stream, { isTty, env: terminal.env, noColor: flags.noColor })
  return { colors, width: isTty ? terminal.width : null }
}

interface Stream {
  isTty: boolean
  env: NodeJS.ProcessEnv
  noColor: boolean
}

export function colorsFor(stream: 'out' | 'err', given: Stream): Colors {
  const chalk = new Chalk({ level: levelOf(stream, given) })
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

/** `--no-color` beats FORCE_COLOR, FORCE_COLOR beats NO_COLOR, and a pipe has no colors. */
function levelOf(stream: 'out' | 'err', { isTty, env, noColor }: Stream): 0 | 1 | 2 | 3 {
  if (noColor) return 0
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : 1
  if (env['NO_COLOR'] || env['TERM'] === 'dumb' || !isTty) return 0
  const support = stream === 'out' ? supportsColor : supportsColorStderr
  return support ? support.level : 0
}
