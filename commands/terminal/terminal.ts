import type { Terminal } from '../start/invocation'

export function processTerminal(): Terminal {
  const terminal: Terminal = {
    out: (text) => void process.stdout.write(text),
    show: (text, { noColor } = { noColor: false }) => showOrPage(text, terminal, noColor),
    err: (text) => void process.stderr.write(text),
    readInput: readStandardInput,
    outIsTty: process.stdout.isTTY === true,
    // Asked only where it matters: opening standard input takes milliseconds.
    get canAsk() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true
    },
    width: process.stdout.columns || 80,
    height: process.stdout.rows || 24,
    env: process.env,
    cwd: process.cwd(),
  }
  return terminal
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
