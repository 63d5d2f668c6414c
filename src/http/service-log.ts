import { type Log, StudioError } from '../kernel'
import { LogDestination } from './log-destination'
import { createLineWriter } from './log-line'

export interface ServiceLog extends Log {
  /** Whether standard error holds lines of JSON. */
  isJson: boolean
  /** Opens the file again after it was moved away. */
  reopen(): void
  /** Resolves when all lines are written. */
  close(): Promise<void>
}

type Level = keyof Log

/** `off` still logs internal errors, so that a 500 can be explained afterwards. */
export function openServiceLog(options: {
  format: 'json' | 'pretty' | 'off'
  /** Null: to standard error. */
  file: string | null
  /** Secrets of the settings that must not be written, whatever holds them. */
  secrets: readonly string[]
}): ServiceLog {
  const { format, file, secrets } = options
  const isJson = format === 'json' || file !== null
  const writeLine = createLineWriter(secrets)
  const toLine = (level: Level, message: string, facts?: Record<string, unknown>) => {
    const line = writeLine(level, message, facts)
    return isJson ? `${line}\n` : formatLogLine(line)
  }
  const destination = openDestination(file, (lines) => toLine('warn', 'lines of this log were lost', { lines }))
  const flush = () => destination.flush()
  // A call of process.exit() must not lose the last lines.
  process.once('exit', flush)
  const say = (level: Level, message: string, facts?: Record<string, unknown>) =>
    destination.write(toLine(level, message, facts))
  const isFaultsOnly = format === 'off'
  return {
    isJson: format === 'json' && file === null,
    debug() {},
    info: (message, facts) => isFaultsOnly || say('info', message, facts),
    warn: (message, facts) => isFaultsOnly || say('warn', message, facts),
    error: (message, facts) => say('error', message, facts),
    reopen: () => destination.reopen(),
    async close() {
      await destination.end()
      process.off('exit', flush)
    },
  }
}

function openDestination(file: string | null, describeLoss: (lines: number) => string): LogDestination {
  try {
    return new LogDestination(file, describeLoss)
  } catch (error) {
    throw new StudioError('invalid', `The log ${file} cannot be written.`, {
      hint: 'Specify a file in a folder of this user: --log-file <path>',
      cause: error,
    })
  }
}

/** A line of the log as a person reads it: `12:00:01 GET /api/stories/1 200 3 ms`. */
export function formatLogLine(line: string): string {
  const { level, time, message, ...facts } = JSON.parse(line) as Record<string, unknown>
  const clock = String(time).slice(11, 19)
  const mark = level === 'info' ? '' : `${String(level).toUpperCase()} `
  const said = message === 'request' ? formatRequest(facts) : `${String(message)}${formatFacts(facts)}`
  return `${removeControls(`${clock} ${mark}${said}`)}\n`
}

function formatRequest({ method, path, status, durationMs, caller, code, aborted }: Record<string, unknown>): string {
  const end = aborted ? 'left before the end' : String(status)
  return [`${method} ${path} ${end} ${durationMs} ms`, caller, code].filter(Boolean).join('  ')
}

function formatFacts({ cause, ...facts }: Record<string, unknown>): string {
  const rest = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = (cause as { stack?: unknown } | undefined)?.stack
  return rest.join('') + (typeof stack === 'string' ? `\n${stack}` : '')
}

/** Text of a request must not control the terminal. */
function removeControls(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
}
