import initSqlJs, { type SqlJsStatic } from 'sql.js'
import { StudioError } from '../../../kernel/errors'

/**
 * V8 recompiles busy WebAssembly functions into faster code, and a process cannot exit before that is finished: a quarter of a second for
 * the interpreter of SQLite, which a single command does not benefit from. A function has a budget and pays for each turn of its loops the
 * bytes of code that it passes, at most a quarter of the flag's value when it was compiled. The interpreter is one large loop, so that a
 * limit is needed to let it run ten million instructions, a part of a second, before it is recompiled.
 */
const COMMAND_BUDGET = 1_000_000_000
const MAX_COST_OF_TURN = 100

let runsOneCommand = false

/** Call this before the database is opened in a process that runs a single command. */
export function limitWasmTiering(): void {
  runsOneCommand = true
}

/** Begins to compile SQLite on other threads, so that it is there when the first database is opened. Opening that reports an error. */
export function beginToLoadSqlite(): void {
  startSqlite().catch(() => {})
}

/** Opens a database with SQLite, which is compiled once in a process; its functions are compiled at their first call. */
export async function openWithSqlite<Opened>(open: (sqlite: SqlJsStatic) => Opened): Promise<Opened> {
  if (!runsOneCommand) return open(await startSqlite())
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  // A command calls few of SQLite's functions, and V8 need not check the others.
  setFlagsFromString('--wasm-lazy-validation')
  setFlagsFromString(`--wasm-tiering-budget=${COMMAND_BUDGET}`)
  try {
    const sqlite = await startSqlite()
    setFlagsFromString(`--wasm-tiering-budget=${4 * MAX_COST_OF_TURN}`)
    return open(sqlite)
  } finally {
    // Compiled SQLite keeps its budget. V8 loads code from a cache only under the flags that the code was compiled under.
    setFlagsFromString('--no-wasm-lazy-validation')
    setFlagsFromString(`--wasm-tiering-budget=${defaultBudget()}`)
  }
}

let hasStarted = false

async function startSqlite(): Promise<SqlJsStatic> {
  try {
    const sqlite = await initSqlJs({ onAbort, printErr: ignore } as Parameters<typeof initSqlJs>[0])
    hasStarted = true
    return sqlite
  } catch (error) {
    throw explainFailedStart(error)
  }
}

/** If the start fails, sql.js rejects its promise, and then throws where no one can catch it, which would end the process. */
function onAbort(): void {
  if (!hasStarted) process.once('unhandledRejection', ignore)
}

/** What sql.js prints is in its errors too. */
function ignore(): void {}

/** V8 reserves some gigabytes of addresses for each memory of WebAssembly, which a limit on them forbids. */
function explainFailedStart(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('Out of memory')) return error
  return new StudioError('unavailable', 'Node.js cannot reserve the memory that the database needs.', {
    hint: 'Raise the limit on it: ulimit -v; or set NODE_OPTIONS=--disable-wasm-trap-handler.',
    cause: error,
  })
}

/** V8 tells no flag's value. */
export function defaultBudget(): number {
  return Number.parseInt(process.versions.node, 10) < 22 ? 1_800_000 : 13_000_000
}
