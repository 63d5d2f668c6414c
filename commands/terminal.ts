/** The streams that a command talks to, and what they can show. Tests give one in memory. */
export interface Terminal {
  /** Results. */
  out(text: string): void
  /** Prints a result; a pager shows what is longer than the window. `noColor` asks the pager for no colours of its own. */
  show(text: string, options?: { noColor: boolean }): Promise<void>
  /** All else. */
  err(text: string): void
  /** What was piped in, whole. The signal ends a wait for it. */
  readInput(signal: AbortSignal): Promise<string>
  /** A person reads the results. */
  readonly outIsTty: boolean
  /** A person can see progress and answer questions. */
  readonly canAsk: boolean
  /** Columns; 80 where there is no window. */
  readonly width: number
  /** Lines; 24 where there is no window. */
  readonly height: number
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

export function processTerminal(): Terminal {
  exitCleanlyWhenTheReaderLeaves()
  const terminal: Terminal = {
    out: (text) => void process.stdout.write(text),
    show: (text, { noColor } = { noColor: false }) => showOrPage(text, terminal, noColor),
    err: (text) => void process.stderr.write(text),
    readInput: readStandardInput,
    outIsTty: process.stdout.isTTY === true,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
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

/** `studio … | head` closes our output before its end, which is no fault. */
function exitCleanlyWhenTheReaderLeaves(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

export interface MemoryTerminal extends Terminal {
  output: string
  errors: string
}

/** A terminal that keeps what it was told. */
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
