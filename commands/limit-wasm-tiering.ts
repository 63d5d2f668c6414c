/**
 * V8 translates WebAssembly a second time, into faster code, once a function has done some work, and a process does not end before
 * that is finished: a quarter of a second for what SQLite runs most, of which a single command has nothing. Work of seconds still
 * gets it.
 *
 * To be called right before the database is opened: once a flag is set, V8 no longer takes Node's own modules out of the cache that
 * Node comes with.
 */
export function limitWasmTiering(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=1000000000')
}
