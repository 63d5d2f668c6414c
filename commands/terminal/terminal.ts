import { fstatSync, writeSync } from 'node:fs'
import type { Terminal } from '../start/invocation'

/**
 * The terminal of the process. It writes without the streams of Node, which take milliseconds to load, until a write fails, for example
 * because the reader is slow or gone. Then `watchStreams` is called, and the stream writes the rest and reports its errors.
 */
export function processTerminal(watchStreams: () => void): Terminal {
  // Only the stream writes Unicode to a window of Windows.
  let writesDirectly = process.platform !== 'win32'
  const terminal: Terminal = {
    out(text) {
      const rest = writesDirectly ? writeDirectly(text) : Buffer.from(text)
      if (rest.length === 0) return
      watchStreams()
      writesDirectly = false
      process.stdout.write(rest)
    },
    show: (text, { noColor } = { noColor: false }) => showOrPage(text, terminal, noColor),
    err: (text) => void process.stderr.write(text),
    readInput: readStandardInput,
    // These are asked only where they matter: opening a stream takes milliseconds.
    get outIsTty() {
      return isDevice(1) && process.stdout.isTTY === true
    },
    get canAsk() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true
    },
    get width() {
      return (isDevice(1) && process.stdout.columns) || 80
    },
    get height() {
      return (isDevice(1) && process.stdout.rows) || 24
    },
    env: process.env,
    cwd: process.cwd(),
  }
  return terminal
}

/** Writes to standard output. Returns what could not be written. */
function writeDirectly(text: string): Uint8Array {
  let written = 0
  try {
    // A text is written faster than its bytes, and nearly always at once.
    written = writeSync(1, text)
    if (written === Buffer.byteLength(text)) return NOTHING
    const bytes = Buffer.from(text)
    while (written < bytes.length) written += writeSync(1, bytes, written)
  } catch {
    // The stream reports the error.
  }
  return Buffer.from(text).subarray(written)
}

const NOTHING = new Uint8Array()

/** False for files and pipes, which are no terminals. */
function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
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
    show: async (text) => terminal.out(text),
    err: (text) => {
      terminal.errors += text
    },
    readInput: async () => input,
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
