import { fstatSync, statSync, writeSync } from 'node:fs'
import type { Terminal } from '../start/invocation'

/**
 * The terminal of the process. It writes without the streams of Node, which take milliseconds to load, until a write fails, for example
 * because the reader is slow or gone. Then `watchStreams` is called, and the stream writes the rest and reports its errors.
 */
export function processTerminal(watchStreams: () => void): Terminal {
  // Only the streams write Unicode to a window of Windows.
  let writesDirectly = process.platform !== 'win32'
  const write = (text: string, descriptor: 1 | 2) => {
    const rest = writesDirectly ? writeDirectly(text, descriptor) : Buffer.from(text)
    if (rest.length === 0) return
    watchStreams()
    writesDirectly = false
    const stream = descriptor === 1 ? process.stdout : process.stderr
    stream.write(rest)
  }
  const terminal: Terminal = {
    out: (text) => write(text, 1),
    outBytes: (bytes) => {
      watchStreams()
      writesDirectly = false
      process.stdout.write(bytes)
    },
    show: (text, { noColor } = { noColor: false }) => showOrPage(text, terminal, noColor),
    err: (text) => write(text, 2),
    readInput: readStandardInput,
    readInputBytes: readStandardInputBytes,
    openInput: openStandardInput,
    // These are asked only where they matter: opening a stream takes milliseconds.
    get outIsTty() {
      return mayBeTerminal(1) && process.stdout.isTTY === true
    },
    get canAsk() {
      return mayBeTerminal(0) && mayBeTerminal(2) && process.stdin.isTTY === true && process.stderr.isTTY === true
    },
    get width() {
      return (mayBeTerminal(1) && process.stdout.columns) || 80
    },
    get height() {
      return (mayBeTerminal(1) && process.stdout.rows) || 24
    },
    env: process.env,
    // This fails if the folder was removed, and some commands do not need it.
    get cwd() {
      return process.cwd()
    },
  }
  return terminal
}

/** Writes to a descriptor. Returns what could not be written. */
function writeDirectly(text: string, descriptor: number): Uint8Array {
  let written = 0
  try {
    // A text is written faster than its bytes, and nearly always at once.
    written = writeSync(descriptor, text)
    if (written === Buffer.byteLength(text)) return NOTHING
    const bytes = Buffer.from(text)
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } catch {
    // The stream reports the error.
  }
  return Buffer.from(text).subarray(written)
}

const NOTHING = new Uint8Array()

/** False for files, pipes and the null device, so that no stream is opened for them. */
function mayBeTerminal(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor)
    return found.isCharacterDevice() && found.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  } catch {
    return true
  }
}

async function showOrPage(text: string, terminal: Terminal, noColor: boolean): Promise<void> {
  if (terminal.outIsTty) {
    const { pagerEnvironment, pagerFor, showIn } = await import('./pager')
    const pager = pagerFor(text, terminal)
    if (pager !== null && (await showIn(pager, text, pagerEnvironment(terminal.env, noColor)))) return
  }
  terminal.out(text)
}

async function readStandardInput(signal: AbortSignal): Promise<string> {
  const { readText } = await import('./text-file')
  return readText(process.stdin, 'Standard input', signal)
}

async function readStandardInputBytes(signal: AbortSignal, max: number): Promise<Buffer> {
  const { readBytes } = await import('./text-file')
  return readBytes(process.stdin, { name: 'Standard input', signal, max })
}

async function* openStandardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { addAbortSignal } = await import('node:stream')
  yield* addAbortSignal(signal, process.stdin)
}

export interface MemoryTerminal extends Terminal {
  output: string
  errors: string
}

/** A terminal that records its output. */
export function memoryTerminal(given: Partial<Terminal> & { input?: string } = {}): MemoryTerminal {
  const { input = '', ...rest } = given
  const terminal: MemoryTerminal = {
    output: '',
    errors: '',
    out: (text) => {
      terminal.output += text
    },
    outBytes: (bytes) => terminal.out(Buffer.from(bytes).toString('latin1')),
    show: async (text) => terminal.out(text),
    err: (text) => {
      terminal.errors += text
    },
    readInput: async () => input,
    readInputBytes: async () => Buffer.from(input, 'latin1'),
    async *openInput() {
      yield Buffer.from(input, 'latin1')
    },
    outIsTty: false,
    canAsk: false,
    width: 100,
    height: 24,
    env: {},
    cwd: process.cwd(),
    ...rest,
  }
  return terminal
}
