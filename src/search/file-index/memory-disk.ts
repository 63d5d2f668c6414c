import type { IndexDisk } from './frame-file'

interface MemoryFile {
  bytes: Buffer
}

/** Files in memory. One that is removed can be read until it is closed, as on a disk. */
export function createMemoryDisk(): IndexDisk {
  const files = new Map<string, MemoryFile>()
  const opened = new Map<number, MemoryFile>()
  let lastNumber = 0
  const openFile = (file: MemoryFile) => {
    lastNumber += 1
    opened.set(lastNumber, file)
    return lastNumber
  }
  return {
    open(path) {
      const file = files.get(path)
      if (!file) throw Object.assign(new Error(`There is no ${path} in memory`), { code: 'ENOENT' })
      return openFile(file)
    },
    read: (fd, bytes, position) => opened.get(fd)!.bytes.copy(bytes, 0, position),
    makeFolder() {},
    create(path) {
      const file = { bytes: Buffer.alloc(0) }
      files.set(path, file)
      return openFile(file)
    },
    append(fd, bytes) {
      const file = opened.get(fd)!
      file.bytes = Buffer.concat([file.bytes, bytes])
    },
    close: (fd) => void opened.delete(fd),
    rename(from, to) {
      files.set(to, files.get(from)!)
      files.delete(from)
    },
    remove: (path) => void files.delete(path),
  }
}
