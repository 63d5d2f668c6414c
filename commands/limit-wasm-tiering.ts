/**
 * V8 recompiles busy WebAssembly functions into faster code, and a process cannot exit before that is finished: a quarter of a second for
 * SQLite, which a single command does not benefit from. Functions that run for seconds are still recompiled.
 *
 * Call this right before the database is opened: once a flag is set, V8 no longer loads Node's own modules from its code cache.
 */
export function limitWasmTiering(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=1000000000')
}
