import fs from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import threads from 'node:worker_threads'
import { loadModule, loadModulesWith, wrapModule } from './module-loader'

/**
 * The main script of a single executable, and of its threads. All files of the program are in the executable: for the program they are in
 * a folder that has the path of the executable. Nothing is unpacked, so that the executable also runs where it can write nothing.
 */
const folder = process.execPath + sep
const { getRawAsset } = process.getBuiltinModule('node:sea') as { getRawAsset(name: string): ArrayBuffer }

type FileName = Parameters<typeof fs.readFileSync>[0]

/** The name of a file in the executable. Null for a file of the machine. */
function nameInExecutable(file: unknown): string | null {
  const path = file instanceof URL ? fileURLToPath(file) : file
  if (typeof path !== 'string' || !path.startsWith(folder)) return null
  return path.slice(folder.length).replaceAll(sep, '/')
}

function readEmbedded(name: string): Buffer {
  try {
    return Buffer.from(getRawAsset(name))
  } catch {
    const path = folder + name
    throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT', syscall: 'open', path })
  }
}

/** The bytes of the executable itself cannot be changed, and a caller may change what it has read. */
function answerRead(name: string, options: unknown): Buffer | string {
  const encoding = typeof options === 'string' ? options : (options as { encoding?: string } | undefined)?.encoding
  const bytes = readEmbedded(name)
  return encoding ? bytes.toString(encoding as BufferEncoding) : Buffer.from(bytes)
}

/** These functions of Node are what the program calls for its own files. */
function serveFilesOfExecutable(): void {
  const { readFileSync, existsSync } = fs
  const { readFile } = fs.promises
  const Worker = threads.Worker
  Object.assign(fs, {
    readFileSync(file: FileName, options?: Parameters<typeof readFileSync>[1]) {
      const name = nameInExecutable(file)
      return name === null ? readFileSync(file, options) : answerRead(name, options)
    },
    existsSync(file: Parameters<typeof existsSync>[0]) {
      const name = nameInExecutable(file)
      return name === null ? existsSync(file) : hasEmbedded(name)
    },
  })
  Object.assign(fs.promises, {
    async readFile(file: Parameters<typeof readFile>[0], options?: Parameters<typeof readFile>[1]) {
      const name = nameInExecutable(file)
      return name === null ? readFile(file, options) : answerRead(name, options)
    },
  })
  Object.assign(threads, {
    Worker: class extends Worker {
      constructor(file: string | URL, options?: threads.WorkerOptions) {
        const name = nameInExecutable(file)
        if (name === null) super(file, options)
        else super(readEmbedded('executable.cjs').toString(), { ...options, eval: true, argv: [folder + name] })
      }
    },
  })
}

function hasEmbedded(name: string): boolean {
  try {
    getRawAsset(name)
    return true
  } catch {
    return false
  }
}

serveFilesOfExecutable()
loadModulesWith((file) => new Script(wrapModule(fs.readFileSync(file, 'utf8')), { filename: file }))
if (threads.isMainThread) {
  const { main } = loadModule(`${folder}dist${sep}main.cjs`, null) as { main(argv: readonly string[]): Promise<void> }
  void main(process.argv.slice(2))
} else {
  loadModule(process.argv[2]!, null)
}
