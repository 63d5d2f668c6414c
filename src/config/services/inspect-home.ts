import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, ok, problem, warning } from '../../storage'
import { getCredentialsFile } from './credentials'
import type { Settings } from './load-settings'

/** The supported versions, as in package.json: the minimum minor version of each major version. Later major versions are supported too. */
const MIN_NODE_VERSIONS: readonly (readonly [major: number, minor: number])[] = [
  [20, 19],
  [22, 3],
]

/** Checks Node.js, the folders and the private files. Creates and changes nothing. */
export function inspectHome(settings: Settings, node: string = process.versions.node): Finding[] {
  const { data, config, state } = settings.paths
  const folders = new Map<string, string[]>()
  for (const [use, path] of Object.entries({ data, settings: config, state }))
    folders.set(path, [...(folders.get(path) ?? []), use])
  return [
    inspectNode(node),
    ...[...folders].map(([path, uses]) => inspectFolder(path, uses.join(' and '))),
    ...inspectFile(settings.db, 'database'),
    ...inspectFile(join(config, 'config.json'), 'settings'),
    ...inspectFile(getCredentialsFile(settings.paths), 'token'),
  ]
}

function inspectNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const message = `Node.js ${version} on ${process.platform} ${process.arch}.`
  const isSupported = MIN_NODE_VERSIONS.some(([minMajor, minMinor]) => major === minMajor && minor >= minMinor)
  if (isSupported || major > MIN_NODE_VERSIONS.at(-1)![0]) return ok('node', message)
  const versions = MIN_NODE_VERSIONS.map((each) => each.join('.')).join(', or ')
  return problem('node', message, `Install Node.js ${versions} or newer.`)
}

/** The permission bits in octal. */
function formatMode({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(3, '0')
}

const hasFileModes = process.platform !== 'win32'

function inspectFolder(path: string, use: string): Finding {
  const stats = statOrNull(path)
  const folder = `${path} for ${use}`
  if (stats === null) return ok('folder', `${folder} does not exist yet. It is created when it is needed.`)
  if (!stats.isDirectory()) return problem('folder', `${folder} is not a folder.`, `Rename it: mv ${path} ${path}.old`)
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
  } catch {
    const hint = `chmod u+rwx ${path}; or set STUDIO_HOME to your own folder.`
    return problem('folder', `${folder} cannot be read.`, hint)
  }
  const summary = `${folder}${hasFileModes ? `, mode ${formatMode(stats)}` : ''}`
  if (hasFileModes && (stats.mode & 0o022) !== 0)
    return warning('folder', `${summary}: other users can change its contents.`, `chmod go-w ${path}`)
  return ok('folder', `${summary}.`)
}

/** Checks a private file. Reports nothing if it does not exist. */
function inspectFile(path: string, what: string): Finding[] {
  const stats = /^postgres(ql)?:/i.test(path) ? null : statOrNull(path)
  if (stats === null || !stats.isFile() || !hasFileModes) return []
  const warn = (right: string) => [
    warning('file', `Other users can ${right} ${path} (${what}), mode ${formatMode(stats)}.`, `chmod 600 ${path}`),
  ]
  if ((stats.mode & 0o022) !== 0) return warn('change')
  return what !== 'settings' && (stats.mode & 0o044) !== 0 ? warn('read') : []
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
