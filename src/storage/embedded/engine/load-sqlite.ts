import initSqlJs, { type SqlJsStatic } from 'sql.js'

/**
 * V8 recompiles busy WebAssembly functions into faster code, and a process cannot exit before that is finished: a quarter of a second for
 * SQLite, which a single command does not benefit from. Functions that run for seconds are still recompiled.
 */
const COMMAND_BUDGET = 1_000_000_000

let runsOneCommand = false

/** Call this before the database is opened in a process that runs a single command. */
export function limitWasmTiering(): void {
  runsOneCommand = true
}

/** SQLite, compiled once in a process. */
export async function loadSqlite(): Promise<SqlJsStatic> {
  if (!runsOneCommand) return initSqlJs()
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  // A command calls few of SQLite's functions, and V8 need not check the others.
  setFlagsFromString('--wasm-lazy-validation')
  setFlagsFromString(`--wasm-tiering-budget=${COMMAND_BUDGET}`)
  try {
    return await initSqlJs()
  } finally {
    // Compiled SQLite keeps its budget. V8 loads code from a cache only under the flags that the code was compiled under.
    setFlagsFromString('--no-wasm-lazy-validation')
    setFlagsFromString(`--wasm-tiering-budget=${defaultBudget()}`)
  }
}

/** V8 tells no flag's value. */
export function defaultBudget(): number {
  return Number.parseInt(process.versions.node, 10) < 22 ? 1_800_000 : 13_000_000
}
