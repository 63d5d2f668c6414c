import { readFileSync, realpathSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { StudioError } from '../../../kernel'

/** File systems that several machines share, by the number that Linux gives them. None of them appends atomically for all machines. */
const SHARED_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'], // Windows drives in WSL, and folders that a host shares with a virtual machine
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
])
/** Others, by the name of their mounts: folders that a host shares with a virtual machine or its containers, and programs of FUSE. */
const SHARED_MOUNTS =
  /^(virtiofs|fakeowner|prl_fs|fuse\.(osxfs|grpcfuse|vmhgfs-fuse|sshfs|s3fs|mount-s3|rclone|gcsfuse|goofys|blobfuse2?|davfs2?|glusterfs|curlftpfs|smbnetfs))$/

/**
 * Throws `read_only` if a commit in this folder could be lost after it was acknowledged: the folder is on a file system on which two machines
 * could overwrite each other's commits, or Node.js syncs no files. On macOS, Node.js does not say what a file system is.
 */
export function requireSafeFolder(folder: string): void {
  const kind = findSharedFileSystem(resolve(folder))
  if (kind !== null)
    throw refuse(`${folder} is on a shared file system (${kind}), where machines can overwrite each other’s commits.`, {
      folder,
      hint: 'Set STUDIO_DB to a file on a local disk, or to a PostgreSQL database.',
    })
  if ('permission' in process && process.permission)
    throw refuse('The permission model of Node.js is on, with which no program can sync its files.', {
      folder,
      hint: 'Run studio without --permission.',
    })
}

function refuse(reason: string, { folder, hint }: { folder: string; hint: string }): StudioError {
  const places = [{ text: folder, name: 'the folder of the database' }]
  return new StudioError('read_only', `Nothing can be written. ${reason}`, { hint, places })
}

function findSharedFileSystem(folder: string): string | null {
  // The real path of a drive letter for a share is that of the share.
  if (process.platform === 'win32') return [folder, findRealPath(folder)].some(isShare) ? 'a network share' : null
  if (process.platform !== 'linux') return null
  const known = SHARED_FILE_SYSTEMS.get(readType(folder))
  if (known !== undefined) return known
  const name = findMountType(findRealPath(folder))
  return name !== null && SHARED_MOUNTS.test(name) ? name.replace('fuse.', '') : null
}

/** `\\server\share`, or `\\?\UNC\server\share`. Other paths with `?` or a dot are of this machine. */
export function isShare(path: string): boolean {
  return /^[\\/]{2}(?:[?.][\\/]UNC[\\/]|(?![?.][\\/]))/i.test(path)
}

function findRealPath(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder // Some drives of Windows have no such path.
  }
}

/** 0 if there is no such folder. */
function readType(folder: string): number {
  try {
    return statfsSync(folder).type >>> 0 // some systems extend the sign
  } catch {
    return 0
  }
}

/** The type of the innermost mount that contains the folder: `fuse.sshfs`. Null if it cannot be found. */
function findMountType(folder: string): string | null {
  let found = { point: '', type: null as string | null }
  for (const line of readMounts().split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    const point = decodeMountPoint(before.split(' ')[4] ?? '')
    const contains = point !== '' && `${folder}/`.startsWith(point.endsWith('/') ? point : `${point}/`)
    if (contains && point.length >= found.point.length) found = { point, type: after.split(' ')[0] ?? null }
  }
  return found.type
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}

/** The kernel writes a space as `\040`. */
const decodeMountPoint = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
