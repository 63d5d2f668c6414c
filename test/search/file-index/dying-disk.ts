import { type IndexDisk, realIndexDisk } from '../../../src/search/file-index/frame-file'

/** The real disk, until it fails: with a disk error, or as if the process had crashed. After a crash it changes nothing. */
export function failingDisk(stepsBefore: number, error: Error | null = null): IndexDisk & { steps(): number } {
  let done = 0
  const step = <Args extends unknown[], Result>(work: (...args: Args) => Result, last?: (...args: Args) => void) => {
    return (...args: Args): Result => {
      done += 1
      if (done === stepsBefore + 1) last?.(...args)
      if (done > stepsBefore) throw error ?? new Error('this process is dead')
      return work(...args)
    }
  }
  return {
    ...realIndexDisk,
    steps: () => done,
    makeFolder: step(realIndexDisk.makeFolder),
    create: step(realIndexDisk.create),
    append: step(realIndexDisk.append, (fd, bytes) => realIndexDisk.append(fd, bytes.subarray(0, bytes.length >> 1))),
    rename: step(realIndexDisk.rename),
    remove: step(realIndexDisk.remove),
  }
}
