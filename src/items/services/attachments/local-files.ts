/** The files and the standard streams of the process that calls an operation. */
export interface LocalFiles {
  /** The path of a file, from the folder of the call on. */
  resolve(path: string): string
  /** Standard input; absent where the process is no command. */
  readInput?(signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Standard output; absent where the process is no command. */
  writeOutput?(bytes: Uint8Array): void
}

export interface LocalFilesContext {
  localFiles: LocalFiles
}
