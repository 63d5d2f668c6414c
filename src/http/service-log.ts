import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { type Log, StudioError } from '../kernel'
import { redactFacts, redactText } from './redact'

export interface ServiceLog extends Log {
  /** Whether standard error holds lines of JSON. */
  isJson: boolean
  /** Opens the file again after it was moved away. */
  reopen(): void
  /** Resolves when all lines are written. */
  close(): Promise<void>
}

type Level = keyof Log

/** `off` still logs internal errors, so that a 500 can be explained afterwards. The first line loads the library. */
export function openServiceLog(options: {
  format: 'json' | 'pretty' | 'off'
  /** Null: to standard error. */
  file: string | null
  /** Secrets of the settings that must not be written, whatever holds them. */
  secrets: readonly string[]
}): ServiceLog {
  if (options.file !== null) requireWritable(options.file)
  let opened: Promise<Sink> | null = null
  let sink: Sink | null = null
  const say = (level: Level, message: string, facts: Record<string, unknown> = {}) => {
    if (sink) return sink.write(level, message, facts)
    opened ??= openSink(options).then((made) => {
      sink = made
      return made
    })
    void opened.then((made) => made.write(level, message, facts))
  }
  const isFaultsOnly = options.format === 'off'
  return {
    isJson: options.format === 'json' && options.file === null,
    debug() {},
    info: (message, facts) => isFaultsOnly || say('info', message, facts),
    warn: (message, facts) => isFaultsOnly || say('warn', message, facts),
    error: (message, facts) => say('error', message, facts),
    reopen: () => sink?.reopen(),
    async close() {
      ;(await opened)?.close()
    },
  }
}

interface Sink {
  write(level: Level, message: string, facts: Record<string, unknown>): void
  reopen(): void
  /** Returns when all lines are written. */
  close(): void
}

async function openSink({ format, file, secrets }: Parameters<typeof openServiceLog>[0]): Promise<Sink> {
  const { default: pino } = await import('pino')
  const destination = pino.destination({ dest: file ?? STANDARD_ERROR, sync: false, mode: 0o600 })
  // A file is opened asynchronously; until then nothing can be flushed.
  if (file !== null) await once(destination, 'ready')
  const isJson = format === 'json' || file !== null
  const lines = new LineBuffer(destination)
  const flush = () => lines.flush()
  // A call of process.exit() must not lose the last lines.
  process.once('exit', flush)
  const close = () => {
    process.off('exit', flush)
    flush()
  }
  const write: Sink['write'] = (level, message, facts) => {
    const line = redactText(JSON.stringify({ level, time: isoTime(), ...redactFacts(facts), message }), secrets)
    lines.write(isJson ? `${line}\n` : formatLogLine(line))
  }
  return { write, reopen: () => file !== null && destination.reopen(), close }
}

let timeText = { at: 0, text: '' }

/** Lines of the same millisecond share its text. */
function isoTime(): string {
  const at = Date.now()
  if (at !== timeText.at) timeText = { at, text: new Date(at).toISOString() }
  return timeText.text
}

const STANDARD_ERROR = 2

function requireWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw new StudioError('invalid', `The log ${file} cannot be written.`, {
      hint: 'Name a file in a folder of this user: --log-file <path>',
      cause: error,
    })
  }
}

/** A file, or a stream of the process. */
interface Destination {
  write(text: string): unknown
  flushSync(): void
}

/** A quiet service writes each line at once; a busy one writes the lines of some milliseconds together. */
const BATCH_MS = 5

class LineBuffer {
  readonly #destination: Destination
  #waiting = ''
  #timer: NodeJS.Timeout | null = null

  constructor(destination: Destination) {
    this.#destination = destination
  }

  write(line: string): void {
    if (this.#timer !== null) {
      this.#waiting += line
      return
    }
    this.#destination.write(line)
    this.#timer = setTimeout(() => this.#writeWaiting(), BATCH_MS).unref()
  }

  /** Returns when everything is written. */
  flush(): void {
    if (this.#waiting !== '') this.#destination.write(this.#waiting)
    this.#waiting = ''
    this.#destination.flushSync()
  }

  #writeWaiting(): void {
    this.#timer = null
    if (this.#waiting === '') return
    const lines = this.#waiting
    this.#waiting = ''
    this.write(lines)
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
