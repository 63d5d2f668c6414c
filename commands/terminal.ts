/** The streams that a command talks to, and what they can show. Tests give one in memory. */
export interface Terminal {
  /** Results. */
  out(text: string): void
  /** All else. */
  err(text: string): void
  /** What was piped in, whole. */
  readInput(): Promise<string>
  /** A person reads the results. */
  readonly outIsTty: boolean
  /** A person can see progress and answer questions. */
  readonly canAsk: boolean
  /** Columns; 80 where there is no window. */
  readonly width: number
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

export function processTerminal(): Terminal {
  exitCleanlyWhenTheReaderLeaves()
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readInput: readStandardInput,
    outIsTty: process.stdout.isTTY === true,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    width: process.stdout.columns || 80,
    env: process.env,
    cwd: process.cwd(),
  }
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
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
    err: (text) => {
      terminal.errors += text
    },
    readInput: async () => input,
    outIsTty: false,
    canAsk: false,
    width: 100,
    env: {},
    cwd: process.cwd(),
    ...rest,
  }
  return terminal
}
