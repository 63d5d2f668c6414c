import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { commandToAllow, commandToProtect } from '../../kernel/text/shell'
import { type Finding, findRightOfOthers, ok, problem, warning } from '../../storage'
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

/** The permission bits in octal, where files have them. */
function describeMode({ mode }: Stats): string {
  return process.platform === 'win32' ? '' : `, mode ${(mode & 0o777).toString(8).padStart(3, '0')}`
}

function inspectFolder(path: string, use: string): Finding {
  const stats = statOrNull(path)
  const folder = `${path} for ${use}`
  if (stats === null) return inspectMissingFolder(path, folder)
  if (!stats.isDirectory()) return problem('folder', `${folder} is not a folder.`, 'Rename it, or remove it.')
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
  } catch {
    const hint = `${commandToAllow(path, 'folder')}; or set STUDIO_HOME to your own folder.`
    return problem('folder', `${folder} cannot be read.`, hint)
  }
  const summary = `${folder}${describeMode(stats)}`
  if (findRightOfOthers(path) === 'change')
    return warning('folder', `${summary}: other users can change its contents.`, commandToProtect(path, 'folder'))
  return ok('folder', `${summary}.`)
}

function inspectMissingFolder(path: string, folder: string): Finding {
  let parent = dirname(resolve(path))
  while (statOrNull(parent) === null && dirname(parent) !== parent) parent = dirname(parent)
  try {
    accessSync(parent, constants.W_OK | constants.X_OK)
    return ok('folder', `${folder} does not exist yet. It is created when it is needed.`)
  } catch {
    const what = `${folder} does not exist and cannot be created: you cannot write to ${parent}.`
    return problem('folder', what, 'Set STUDIO_HOME to a folder that you may write to.')
  }
}

/** Checks a private file. Reports nothing if it does not exist. */
function inspectFile(path: string, what: string): Finding[] {
  const stats = /^postgres(ql)?:/i.test(path) ? null : statOrNull(path)
  if (stats === null || !stats.isFile()) return []
  const right = findRightOfOthers(path)
  if (right === null || (right === 'read' && what === 'settings')) return []
  const message = `Other users can ${right} ${path} (${what})${describeMode(stats)}.`
  return [warning('file', message, commandToProtect(path, 'file'))]
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
